/** What the owner of the gateway chose at the API: one row, with the choices as JSON. */
export const chosenConfiguration = `
CREATE TABLE chosen_configuration (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  content TEXT NOT NULL
) STRICT;
`
