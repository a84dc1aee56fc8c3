import { badge, cursorOf, definePage, definitions, emptyState, paging, table, timeOf } from '../../../console/index.js';
import { html, type Html } from '../../../kit/index.js';
import { stateBadge, waitsFor, type ShownDocument } from './documents.page.js';

/** `list_org_document_parties`. */
interface Party {
  name: string;
  email: string;
  label: string;
  status: string;
  signed_at: string | null;
  viewed_at: string | null;
  decline_reason: string | null;
  reminders: number;
  invitation: { status: string; error: string | null } | null;
}

/** `list_org_document_audit_entries`. */
interface Entry {
  created_at: string;
  action: string;
  actor: { email: string | null; type: string };
  acted_for: string | null;
  to_state: string | null;
  status: string;
  error: string | null;
}

export const documentPage = definePage({
  path: '/documents/:id',
  title: 'Document',
  permission: 'papers.document.view',
  operations: ['get_org_document', 'list_org_document_parties', 'list_org_document_audit_entries'],
  hasMode: true,
  async show(visit) {
    const path = `/papers/documents/${visit.param('id')}`;
    const [document, parties, history] = await Promise.all([
      visit.get<ShownDocument>(path),
      visit.list<Party>(`${path}/parties`, {}),
      visit.list<Entry>(`${path}/audit-entries`, { sort: '-created_at', ...cursorOf(visit) }),
    ]);
    const waited = waitsFor(document);
    return {
      title: document.title,
      above: [{ path: '/documents', label: 'Documents' }],
      lead: stateBadge(document),
      body: html`${definitions([
        ['Number', document.number ?? 'None yet'],
        ['Type', document.type.name],
        ['Waits for', waited.length > 0 ? waited.join(', ') : 'Nobody'],
        ['Last day to sign', document.signature.deadline_at === null ? 'None' : timeOf(document.signature.deadline_at)],
      ])}
<h2>Parties</h2>${
        parties.data.length > 0
          ? partiesTable(parties.data)
          : emptyState({ heading: 'It was not sent', text: 'Its parties are listed here once it is.' })
      }
<h2>History</h2>${historyTable(history.data)}${paging(visit, history)}`,
    };
  },
});

function partiesTable(data: readonly Party[]): Html {
  return table<Party>({
    caption: 'Parties, in the order of signing',
    columns: [
      { label: 'Party', cell: ({ name, email, label }) => html`${name} <span class="soft">(${label})</span><br>${email}` },
      {
        label: 'Status',
        cell: ({ status, decline_reason }) => html`${badge(status)}${decline_reason !== null && html`<p>${decline_reason}</p>`}`,
      },
      {
        label: 'Mail',
        cell: ({ invitation, reminders }) =>
          invitation === null
            ? ''
            : html`${badge(invitation.status, invitation.error === null ? 'neutral' : 'bad')}${
                invitation.error !== null && html`<p>${invitation.error}</p>`
              }${reminders > 0 && html`<p class="soft">Reminders: ${String(reminders)}</p>`}`,
      },
      { label: 'Opened', cell: ({ viewed_at }) => (viewed_at === null ? '' : timeOf(viewed_at)) },
      { label: 'Signed', cell: ({ signed_at }) => (signed_at === null ? '' : timeOf(signed_at)) },
    ],
    rows: data,
  });
}

function historyTable(data: readonly Entry[]): Html {
  return table<Entry>({
    caption: 'History, latest first',
    columns: [
      { label: 'Time', cell: ({ created_at }) => timeOf(created_at) },
      { label: 'Action', cell: ({ action, status, error }) => html`<code>${action}</code>${status === 'failed' && html`<p>${error}</p>`}` },
      {
        label: 'By',
        cell: ({ actor, acted_for }) => html`${actor.email ?? actor.type}${acted_for !== null && html`<br>for ${acted_for}`}`,
      },
      { label: 'State', cell: ({ to_state }) => to_state ?? '' },
    ],
    rows: data,
  });
}
