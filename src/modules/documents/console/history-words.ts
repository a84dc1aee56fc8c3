/** What the entries of the audit trail are called. Those that are missing here are their codes in words. */
const ACTIONS: Readonly<Record<string, string>> = {
  create: 'Created',
  update: 'Changed',
  delete: 'Deleted',
  submit: 'Submitted',
  approve: 'Approved',
  reject: 'Rejected',
  return: 'Returned for changes',
  recall: 'Recalled',
  finalize: 'Finalized',
  send: 'Sent to the parties',
  send_request: 'Requests to sign were mailed',
  sign: 'Signed',
  decline: 'Signature declined',
  expire: 'Expired',
  revoke: 'Revoked',
  supersede: 'Replaced by another document',
  reopen: 'Reopened',
  override: 'State set by hand',
  remind: 'Reminded',
  deadline_warning: 'Warned that the time to sign ends',
  validity_reminder: 'Reminded that the validity ends',
  change_party: 'Another person signs',
  undelivered: 'A mail was rejected',
  signing_link: 'Link to sign made for a frame',
  copy: 'Copy mailed',
  share: 'Link to read made',
  unshare: 'Link to read ended',
  share_opened: 'Link to read opened',
  share_downloaded: 'Downloaded by a link',
  escalate: 'Overdue decision escalated',
  erase: 'Contents erased',
  legal_hold: 'Legal hold changed',
  generation: 'Run of a trigger',
  intake_bridge: 'Run of a bridge',
  ai_summary: 'Summary made',
  ai_risks: 'Risks analyzed',
  obligation_propose: 'Obligation proposed',
  obligation_create: 'Obligation added',
  obligation_confirm: 'Obligation confirmed',
  obligation_complete: 'Obligation completed',
  obligation_waive: 'Obligation waived',
  obligation_cancel: 'Obligation cancelled',
};

const ACTORS: Readonly<Record<string, string>> = { system: 'The system', api_key: 'An API key', party: 'A party', public: 'A visitor' };

const PARTY_STATUSES: Readonly<Record<string, string>> = { invited: 'Asked to sign', viewed: 'Opened' };

interface Person {
  name: string;
  email: string;
}

export function actionText(action: string): string {
  const code = action.replace(/^papers\./, '');
  return ACTIONS[code] ?? words(code);
}

/** Whom the entry concerns, where its action does not say so. */
export function concernedIn({ reminded, from, to, name, email }: Readonly<Record<string, unknown>>): string | null {
  if (Array.isArray(reminded)) return reminded.join(', ');
  if (isPerson(from) && isPerson(to)) return `${to.name} (${to.email}) instead of ${from.name} (${from.email})`;
  if (typeof email !== 'string') return null;
  return typeof name === 'string' ? `${name} (${email})` : email;
}

export function actorText({ email, type }: { email: string | null; type: string }): string {
  return email ?? ACTORS[type] ?? words(type);
}

export function partyStatusText(status: string): string {
  return PARTY_STATUSES[status] ?? words(status);
}

/** A code as a sentence begins. */
export function words(code: string): string {
  const text = code.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function isPerson(value: unknown): value is Person {
  return typeof value === 'object' && value !== null && 'name' in value && 'email' in value;
}
