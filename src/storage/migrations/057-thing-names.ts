/** How a person reads each thing of an incident, for the text that ends it. NULL: it is not known. */
export const thingNames = `
ALTER TABLE incident_thing ADD COLUMN name TEXT;
`
