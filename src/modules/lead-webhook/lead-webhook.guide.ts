export const LEAD_WEBHOOK_GUIDE = `
Accepts leads from web forms and other systems: \`POST /api/v1/webhooks/leads\`. A key with the
scope \`lead_webhook:lead:write\` alone can do nothing else, and the response contains no personal data, so such a key may
be used in a form.

- A lead needs a name (\`full_name\`, or \`first_name\` and \`last_name\`) and \`email\` or \`phone\`.
- A person who already has a lead, by \`external_id\`, then \`email\`, then \`phone\`, is counted and not created again; send
  \`update_if_exists\` to update the lead. A phone number counts with its extension, and only if it is valid or has at least seven
  digits that are not all equal.
- Send an \`Idempotency-Key\` per submission, so that a retry after a lost response does not count twice.
- Send a consent flag as false when the person declined, and omit it when they were not asked.
- With a key that is not bound to a project, send \`project_id\`, or the lead belongs to the default project.
`.trim();
