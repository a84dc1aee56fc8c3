import type { Tx } from '../../../../../kit/index.js';
import type { HistoryEvent } from '../../../engine/certificate/history.js';
import { AuditEntry } from '../../../model/records/audit-entry.entity.js';
import { DocumentCopy } from '../../../model/records/document-copy.entity.js';
import type { Document } from '../../../model/records/document.entity.js';
import type { SignatureParty } from '../../../model/records/signature-party.entity.js';

const RECORDED = [
  ...['papers.send', 'papers.send_request', 'papers.remind', 'papers.deadline_warning', 'papers.change_party'],
  'papers.undelivered',
];
/** A certificate lists at most these: the earliest and the latest of more reminders say enough. */
const MOST = 400;

interface Person {
  name: string;
  email: string;
}

/** What happened since the revision was sent, in order. All parties have signed. */
export async function historyOf(tx: Tx, document: Document, signers: readonly SignatureParty[]): Promise<HistoryEvent[]> {
  const { id, revision } = document;
  const entries = await tx.list(AuditEntry, { document_id: id, action: RECORDED });
  // the suite sends once a mail server has accepted a request; earlier entries are of other revisions
  const sent = entries.findLastIndex(({ action }) => action === 'papers.send');
  const isRequested = sent > 0 && entries[sent - 1].action === 'papers.send_request';
  const since = isRequested ? [entries[sent - 1], ...entries.slice(sent + 1)] : entries.slice(sent);
  const names = new Map(signers.flatMap((party) => [party, ...party.earlier_signers]).map((one) => [one.email.toLowerCase(), one.name]));
  const person = (email: string) => text({ email, name: names.get(email.toLowerCase()) ?? '' });
  const copies = await tx.list(DocumentCopy, { document_id: id, revision });
  const events = [
    ...since.flatMap((entry) => recorded(entry, person)),
    ...copies.flatMap((copy): HistoryEvent[] =>
      copy.sent_at ? [{ kind: 'copied', at: copy.sent_at.toISOString(), who: text(copy) }] : [],
    ),
    ...signers.flatMap(openings),
  ];
  // what belongs to the sending began a moment before it was recorded
  const timeOf = ({ kind, at }: HistoryEvent) => (kind === 'sent' ? 0 : Date.parse(at));
  events.sort((one, other) => timeOf(one) - timeOf(other));
  const shown = events.length > MOST ? [...events.slice(0, MOST / 2), ...events.slice(-MOST / 2)] : events;
  const at = (signers.at(-1)?.signed_at as Date).toISOString();
  return [...shown, ...copies.map((copy): HistoryEvent => ({ kind: 'completed', at, who: text(copy) }))];
}

function recorded({ action, created_at, actor, acted_for, detail }: AuditEntry, person: (email: string) => string): HistoryEvent[] {
  const at = created_at.toISOString();
  if (action === 'papers.send' || action === 'papers.send_request') return [{ kind: 'sent', at, who: acted_for ?? actor.email }];
  if (action === 'papers.undelivered') return [{ kind: 'undelivered', at, who: text(detail as unknown as Person) }];
  if (action === 'papers.change_party') {
    const { from, to, delegated } = detail as { from: Person; to: Person; delegated?: boolean };
    return [{ kind: delegated ? 'passed_on' : 'replaced', at, who: text(from), by: text(to) }];
  }
  return ((detail.reminded ?? []) as string[]).map((email) => ({ kind: 'reminded', at, who: person(email) }));
}

function openings(party: SignatureParty): HistoryEvent[] {
  const { viewed_at, last_viewed_at, viewed_address, viewed_user_agent, signed_at, address, user_agent } = party;
  const who = text(party);
  const signed: HistoryEvent = { kind: 'signed', at: (signed_at as Date).toISOString(), who, by: address, browser: user_agent };
  if (viewed_at === null) return [signed];
  const opened: HistoryEvent = { kind: 'opened', at: viewed_at.toISOString(), who, by: viewed_address, browser: viewed_user_agent };
  if (last_viewed_at === null || last_viewed_at <= viewed_at) return [opened, signed];
  return [opened, { kind: 'opened_last', at: last_viewed_at.toISOString(), who }, signed];
}

function text({ name, email }: Person): string {
  return name === '' ? email : `${name} (${email})`;
}
