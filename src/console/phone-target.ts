/** The choice of the phones that send, between its field and the API. */

interface TargetFields {
  readonly deviceId: string | null
  readonly deviceGroupId: string | null
}

/** `chosen`: a phone or a group of phones; empty: any phone. */
export function targetFields(chosen: string): TargetFields {
  const isGroup = chosen.startsWith('dgr_')
  return {
    deviceId: isGroup || chosen === '' ? null : chosen,
    deviceGroupId: isGroup ? chosen : null,
  }
}

export function chosenTarget(fields: TargetFields | null): string {
  return fields?.deviceGroupId ?? fields?.deviceId ?? ''
}
