export const LEAD_WEBHOOK_GUIDE = `
Takes leads in from web forms and other systems: \`POST /api/v1/webhooks/leads\`. Keys of this module can do nothing else, and
the answer tells nothing about a person, so such a key may stand in a form.

- A lead needs a name (\`full_name\`, or \`first_name\` and \`last_name\`) and \`email\` or \`phone\`.
- A person who is there already, by \`external_id\`, then \`email\`, then \`phone\`, is counted and not created again; send
  \`update_if_exists\` to change the lead to what is sent.
- Send an \`Idempotency-Key\` per submission, so that a repeat after a lost answer does not count twice.
- Send a consent flag as false when the person refused, and leave it out when they were not asked.
- With a key that is not bound to a project, send \`project_id\`.
`.trim();
