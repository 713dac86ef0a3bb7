/** Values that the examples of several operations share, so that these tell one story. */
export const TIME = '2026-01-31T12:00:00.000Z'
export const MESSAGE_ID = 'msg_01KG9V0E7M4T0JH0Q4W2Z9R3XB'
export const DEVICE_ID = 'dev_01KG9TMX5C8N1V7K3E6P2D0YSA'
export const DEVICE_GROUP_ID = 'dgr_01KG9V0E7M4T0JH0Q4W2Z9R3XB'
export const WEBHOOK_ID = 'whk_01KG9V0E7M4T0JH0Q4W2Z9R3XB'
export const PERSON_ID = 'per_01KG9V0E7M4T0JH0Q4W2Z9R3XB'
export const ROTA_ID = 'rot_01KG9V0E7M4T0JH0Q4W2Z9R3XB'
export const GROUP_ID = 'grp_01KG9V0E7M4T0JH0Q4W2Z9R3XB'
export const POLICY_ID = 'pol_01KG9V0E7M4T0JH0Q4W2Z9R3XB'
export const DRILL_ID = 'dri_01KG9V0E7M4T0JH0Q4W2Z9R3XB'
export const FORWARD_ID = 'fwd_01KG9V0E7M4T0JH0Q4W2Z9R3XB'
export const USER_ID = 'usr_01KG9V0E7M4T0JH0Q4W2Z9R3XB'
export const PHONE_NUMBER = '+14155550123'
/** How an alert was read. */
export const READ = {
  guess: true,
  fields: [
    { path: 'status', value: 'down', role: 'state' },
    { path: 'monitor', value: 'nas', role: 'thing' },
  ],
  shape: '3f1c9a70b2d45e68',
  confirmationUrl: null,
}
