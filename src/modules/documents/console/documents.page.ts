import {
  badge,
  cursorOf,
  definePage,
  emptyState,
  filterForm,
  isFiltered,
  paging,
  referenceOf,
  table,
  timeOf,
  type Tone,
  type Visit,
} from '../../../console/index.js';
import { html, type Html } from '../../../kit/index.js';
import { words } from './history-words.js';
import type { DocumentState } from '../model/core/document-states.js';

/** `list_org_documents` and `get_org_document`, as far as the pages show them. */
export interface ShownDocument {
  id: string;
  number: string | null;
  title: string;
  type: { code: string; name: string };
  state: DocumentState;
  updated_at: string;
  custom_fields: Readonly<Record<string, unknown>>;
  files: { id: string; name: string; pages: number }[];
  sending: {
    cc?: { name: string; email: string; when: 'sent' | 'completed' }[];
    message?: string;
    remind_after_days?: number;
    remind_every_days?: number;
    warn_days?: number;
  } | null;
  approval: { pending: { step: { name: string }; approver: { name: string } | null }[] };
  signature: {
    parties: { name: string | null; email: string | null; status: string; request: string | null }[];
    request: 'sending' | 'failed' | null;
    deadline_at: string | null;
  };
}

export const documentsPage = definePage({
  path: '/documents',
  title: 'Documents',
  permission: 'papers.document.view',
  operations: ['list_org_documents'],
  nav: 'Automation',
  icon: 'file-text',
  docs: '/docs/api/papers',
  hasMode: true,
  parameters: { q: { label: 'Title or number' }, state: { label: 'State' }, type_code: { label: 'Type' } },
  async show(visit) {
    const [q, state, type_code] = ['q', 'state', 'type_code'].map((name) => visit.query.get(name)?.trim() || null);
    const list = await visit.listOfPage<ShownDocument>('/papers/documents', { q, state, type_code, ...cursorOf(visit) });
    const filters = filterForm(visit, [
      { name: 'q', type: 'text' },
      { name: 'state', options: Object.keys(TONES).map((value) => ({ value, label: words(value) })) },
      { name: 'type_code', type: 'text', placeholder: 'customer_agreement' },
    ]);
    return {
      title: 'Documents',
      lead: 'Where each document is, who is waited for, and which mails were rejected.',
      body: html`${filters}${list.data.length > 0 ? rows(visit, list.data) : none(visit)}${paging(visit, list)}`,
    };
  },
});

function rows(visit: Visit, data: readonly ShownDocument[]): Html {
  return table<ShownDocument>({
    caption: 'Documents, newest first',
    columns: [
      {
        label: 'Document',
        cell: ({ id, number, title }) =>
          html`<a href="${visit.link(`/documents/${id}`)}">${title}</a>${number !== null && html`<br><span class="soft">${number}</span>`}`,
      },
      { label: 'Type', cell: ({ type }) => type.name },
      { label: 'State', isState: true, cell: stateBadge },
      { label: 'Waits for', cell: (document) => waitsFor(document).join(', ') },
      { label: 'Last change', cell: ({ updated_at }) => timeOf(updated_at) },
    ],
    rows: data,
  });
}

function none(visit: Visit): Html {
  return isFiltered(visit)
    ? emptyState({
        heading: 'No document matches',
        text: 'There may be others, or some in the other mode.',
        step: html`<a class="button quiet" href="${visit.link('/documents')}">Show all documents</a>`,
      })
    : emptyState({
        heading: 'No documents yet',
        text: 'They are created through the API, by triggers and by forms.',
        step: html`<a class="button" href="${referenceOf(visit, 'create_org_document')}">Read the reference</a>`,
      });
}

/** Of every state, in the order of a document's life. */
const TONES: Readonly<Record<DocumentState, Tone | undefined>> = {
  draft: undefined,
  in_approval: 'warn',
  returned: undefined,
  rejected: 'bad',
  approved: undefined,
  finalized: undefined,
  sent: 'warn',
  partially_signed: 'warn',
  executed: 'good',
  declined: 'bad',
  expired: 'bad',
  revoked: undefined,
  superseded: undefined,
};

/** With a second badge if no mail server took the requests to sign. */
export function stateBadge({ state, signature: { request } }: ShownDocument): Html {
  return html`${badge(words(state), TONES[state])}${request === 'failed' && html` ${badge('Mails rejected', 'bad')}`}`;
}

/** The approvers or parties that have to act now. */
export function waitsFor({ approval, signature }: ShownDocument): string[] {
  const approvers = approval.pending.map(({ step, approver }) => approver?.name ?? `Approvers of ${step.name}`);
  // the status of one whose mail was rejected is `waiting`
  const asked = signature.parties.filter(({ status, request }) => request !== null && ['waiting', 'invited', 'viewed'].includes(status));
  const nameOf = ({ name, email, request }: (typeof asked)[number]) =>
    `${name ?? email ?? ''}${request === 'failed' ? ' (mail rejected)' : ''}`;
  return [...approvers, ...asked.map(nameOf)];
}
