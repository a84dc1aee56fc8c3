/** The columns by which business rows refer to each other: a row of another project or mode cannot be referred to. */
export const REFERENCE: [string, string, string, string] = ['organization_id', 'project_id', 'mode', 'id'];
