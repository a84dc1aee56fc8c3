import type { Visit } from '../../../console/index.js';

export const LEAD_KEYS = '/lead-webhook';
export const LEAD_REQUESTS = '/lead-webhook/requests';

/** Where forms send leads. */
function leadAddress({ site }: Visit): string {
  return `${site.baseUrl}/api/v1/webhooks/leads`;
}

/** A request that creates a lead. */
export function curlOf(visit: Visit, secret = '$LEAD_KEY'): string {
  return `curl ${leadAddress(visit)} \\
  -H "Authorization: Bearer ${secret}" \\
  -H 'Content-Type: application/json' \\
  -d '{"full_name":"Ada Lovelace","email":"ada@example.com","consent_email":true,"utm_source":"newsletter"}'`;
}

export const FORM_SNIPPET = `<form method="post" action="/contact">
  <label>Name <input name="full_name" autocomplete="name" required></label>
  <label>E-mail <input name="email" type="email" autocomplete="email" required></label>
  <label>Company <input name="company_name" autocomplete="organization"></label>
  <label><input name="consent_email" type="checkbox" value="true"> You may write to me</label>
  <button>Send</button>
</form>`;

/** A server-side handler for the form, which keeps the key on the server. */
export function handlerSnippet(visit: Visit): string {
  return `// POST /contact
const form = await request.formData();
const response = await fetch('${leadAddress(visit)}', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.LEAD_KEY}\`,
    'Content-Type': 'application/json',
    'Idempotency-Key': crypto.randomUUID(),
  },
  body: JSON.stringify({
    ...Object.fromEntries(form),
    consent_email: form.get('consent_email') === 'true',
    consent_source: 'Contact form',
  }),
});
if (!response.ok) throw new Error(await response.text());`;
}
