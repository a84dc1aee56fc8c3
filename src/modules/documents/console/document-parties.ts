import { badge, table, timeOf, type Visit } from '../../../console/index.js';
import { html, type Html } from '../../../kit/index.js';
import { partyStatusText, words } from './history-words.js';

/** `list_org_document_parties`. */
export interface Party {
  id: string;
  name: string;
  email: string;
  label: string;
  status: string;
  signed_at: string | null;
  viewed_at: string | null;
  decline_reason: string | null;
  required: boolean;
  may_delegate: boolean;
  turn: number;
  reminders: number;
  invitation: { status: string; error: string | null } | null;
  earlier_signers: { name: string; email: string; replaced_by: 'party' | 'sender'; replaced_at: string }[];
  fields: { kind: string; label: string | null; key: string; required: boolean; text: string | null }[];
}

/** What members can do about a party that has not signed. */
function partyActions(visit: Visit, { id, name, email, status, invitation }: Party): Html | '' {
  if (!visit.may('change')) return '';
  const isRejected = invitation?.status === 'failed';
  const isAsked = status === 'invited' || status === 'viewed' || isRejected;
  const change = visit.form('change', { id });
  const form = change.render({
    className: 'narrow',
    body: html`${change.text({ name: 'name', label: 'Name', value: name })}
${change.text({ name: 'email', label: 'E-mail address', type: 'email', value: email })}`,
    submit: { label: 'Ask this person' },
  });
  return html`${isRejected && html`<p>Change the address if it is wrong, or send the mail again.</p>`}${
    isAsked && visit.form('again', { id }).render({ submit: { label: 'Send the mail again', tone: 'quiet' } })
  }<details${isRejected && html` open`}><summary>Change the signer</summary>${form}</details>`;
}

function partyCell({ name, email, label, required, turn, may_delegate, earlier_signers }: Party, hasOrder: boolean): Html {
  const notes = [
    ...(hasOrder ? [`Signs in turn ${turn}`] : []),
    ...(required ? [] : ['May be left out']),
    ...(may_delegate ? ['May pass the document on'] : []),
  ];
  return html`${name} <span class="soft">(${label})</span><br>${email}${
    notes.length > 0 && html`<br><span class="soft">${notes.join('. ')}</span>`
  }${earlier_signers.map(
    (one) =>
      html`<br><span class="soft">${one.replaced_by === 'party' ? 'Passed on by' : 'Instead of'} ${one.name} (${one.email}), ${timeOf(
        one.replaced_at,
      )}</span>`,
  )}`;
}

function statusCell({ status, decline_reason, viewed_at, signed_at }: Party): Html {
  return html`${badge(partyStatusText(status))}${decline_reason !== null && html`<p>${decline_reason}</p>`}${
    viewed_at !== null && html`<br><span class="soft">Opened</span> ${timeOf(viewed_at)}`
  }${signed_at !== null && html`<br><span class="soft">Signed</span> ${timeOf(signed_at)}`}`;
}

function mailCell({ invitation, reminders }: Party): Html | string {
  if (invitation === null) return 'Not asked yet';
  const { status, error } = invitation;
  const mail = error === null ? badge(words(status)) : html`${badge('Rejected', 'bad')}<p>${error}</p>`;
  return html`${mail}${reminders > 0 && html`<br><span class="soft">Reminders: ${String(reminders)}</span>`}`;
}

const PLACES: Readonly<Record<string, string>> = { signature: 'Signature', initials: 'Initials', date: 'Day of signing' };

/** What a party fills in, or has. */
function fieldsCell({ fields }: Party): Html | string {
  if (fields.length === 0) return 'A signature';
  const list = fields.map(({ kind, label, key, required, text }, at) => {
    const name = label ?? PLACES[kind] ?? key;
    return html`${at > 0 && html`<br>`}${text === null ? name : html`<span class="soft">${name}:</span> ${text}`}${
      text === null && !required && html` <span class="soft">(optional)</span>`
    }`;
  });
  return fields.length <= MOST_OPEN_FIELDS
    ? html`${list}`
    : html`<details><summary>${String(fields.length)} fields</summary>${list}</details>`;
}

/** More are folded. */
const MOST_OPEN_FIELDS = 8;

/** The parties of a document, with what members can do about each while `isOpen`. */
export function partiesTable(visit: Visit, data: readonly Party[], isOpen: boolean): Html {
  const hasOrder = new Set(data.map(({ turn }) => turn)).size > 1;
  const isChangeable = ({ status }: Party) => isOpen && ['waiting', 'invited', 'viewed'].includes(status);
  const actions = data.some(isChangeable) && visit.may('change');
  return table<Party>({
    caption: 'Parties, in the order of signing',
    columns: [
      { label: 'Party', cell: (party) => partyCell(party, hasOrder) },
      { label: 'Status', isState: true, cell: statusCell },
      { label: 'Mail', cell: mailCell },
      { label: 'Fills in', cell: fieldsCell },
      ...(actions ? [{ label: 'Change', cell: (party: Party) => (isChangeable(party) ? partyActions(visit, party) : '') }] : []),
    ],
    rows: data,
  });
}
