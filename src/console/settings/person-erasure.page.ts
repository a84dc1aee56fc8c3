import { html, type Html } from '../../kit/index.js';
import type { ErasedRowsDto, MentionDto, PersonErasureDto } from '../../platform/organization-data/people/person-erasures.dto.js';
import { count, counted } from '../components/numbers.js';
import { table } from '../components/table.js';
import { requireTyped, typedConfirmation } from '../components/typed-confirmation.js';
import { definePage, type View } from '../frame/page-definition.js';
import type { Visit } from '../frame/visit.js';

const TITLE = 'Erase a person';
const PATH = '/person-erasures';

export const personErasurePage = definePage({
  path: '/settings/erase-person',
  title: TITLE,
  permission: 'org.people.erase',
  operations: [],
  nav: 'Organization',
  icon: 'user-x',
  show: (visit) => {
    // an address that was not typed again: the form is shown again, with the address that was looked for
    const email = visit.refused?.action === 'erase' ? visit.submission?.values.text('email') : undefined;
    return {
      title: TITLE,
      lead: 'Somebody outside of your organization who asks you to forget them.',
      ...(email ? { tools: another(visit), body: erasing(visit, email) } : { body: looking(visit) }),
    };
  },
  actions: {
    look: {
      operations: ['erase_person'],
      refusal: 'Nothing was looked for',
      async run(visit, values) {
        const email = values.text('email');
        return found(visit, email, await visit.post<PersonErasureDto>(PATH, { email, dry_run: true }));
      },
    },
    erase: {
      operations: ['erase_person'],
      refusal: 'Nothing was erased',
      async run(visit, values) {
        const email = values.text('email');
        requireTyped(values, email);
        return erased(visit, email, await visit.post<PersonErasureDto>(PATH, { email }));
      },
    },
  },
});

function looking(visit: Visit): Html {
  const form = visit.form('look');
  return form.render({
    className: 'narrow',
    body: html`${form.text({
      name: 'email',
      type: 'email',
      label: 'E-mail address of the person',
      hint: 'Looked for in all modules and projects, in live and test data. Nothing is changed yet.',
    })}`,
    submit: { label: 'Show what is stored' },
  });
}

function found(visit: Visit, email: string, { rows, mentions }: PersonErasureDto): View {
  const above = [{ path: visit.path, label: TITLE }];
  const goes = rows.reduce((sum, { erased: some }) => sum + some, 0);
  if (rows.length + mentions.length === 0)
    return { title: 'Nothing is stored', above, lead: email, tools: another(visit), body: html`<p>No row has this address.</p>` };
  return {
    title: 'What is stored',
    above,
    lead: email,
    tools: another(visit),
    body: html`${report(visit, rows, 'Goes')}${mentioned(mentions)}${goes > 0 ? erasing(visit, email) : NOTHING_GOES}`,
  };
}

function erased(visit: Visit, email: string, { rows, mentions }: PersonErasureDto): View {
  const total = rows.reduce((sum, { erased: some }) => sum + some, 0);
  return {
    title: 'The person is erased',
    above: [{ path: visit.path, label: TITLE }],
    lead: email,
    tools: another(visit),
    body: html`<div class="note done" role="status" tabindex="-1" autofocus><h2>${counted(total, 'row')} erased</h2>
<p>Tell the receivers of your webhooks separately. Keep this report: it is not stored, and the audit log has only its numbers.</p></div>
${report(visit, rows, 'Gone')}${mentioned(mentions)}`,
  };
}

const NOTHING_GOES = html`<p>Nothing can be erased: what is stored has to stay, for the reasons above.</p>`;

function erasing(visit: Visit, email: string): Html {
  return html`<h2>Erase</h2>${typedConfirmation(visit, 'erase', {
    name: email,
    explanation: html`Rows are deleted, or lose what tells who the person is. <b>They cannot be brought back.</b>`,
    submit: 'Erase the person',
    kept: { email },
  })}`;
}

function another(visit: Visit): Html {
  return html`<a class="button quiet" href="${visit.here()}">Another person</a>`;
}

function report({ site }: Visit, rows: readonly ErasedRowsDto[], goes: string): Html | false {
  const titleOf = (module: string | null) => site.modules.find(({ name }) => name === module)?.title ?? module ?? 'The suite';
  return (
    rows.length > 0 &&
    table<ErasedRowsDto>({
      caption: 'Rows about the person',
      columns: [
        { label: 'What', cell: ({ module, title }) => html`${title}<br><span class="soft">${titleOf(module)}</span>` },
        { label: goes, isNumber: true, cell: (row) => count(row.erased) },
        { label: 'Stays', isNumber: true, cell: ({ kept }) => count(kept) },
        { label: 'Why', cell: ({ why, kept }) => (kept > 0 ? (why ?? '') : '') },
      ],
      rows,
    })
  );
}

function mentioned(mentions: readonly MentionDto[]): Html | false {
  return (
    mentions.length > 0 &&
    html`<h2>Where the address or the name is still found</h2>${table<MentionDto>({
      caption: 'Mentions',
      columns: [
        { label: 'Table', cell: (mention) => html`<code>${mention.table}</code>` },
        { label: 'Rows', isNumber: true, cell: ({ rows }) => count(rows) },
        { label: 'Why', cell: reason },
      ],
      rows: mentions,
    })}`
  );
}

function reason({ why, ids, rows }: MentionDto): Html | string {
  if (why !== null) return why;
  const more = rows > ids.length ? ` and ${count(rows - ids.length)} more` : '';
  const found = html`<span class="soft">${ids.join(', ')}${more}</span>`;
  return html`No rule names it: look at it yourself, for example at notes of colleagues.<br>${found}`;
}
