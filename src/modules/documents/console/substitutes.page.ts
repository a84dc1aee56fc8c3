import { cursorOf, definePage, emptyState, paging, table, type Visit } from '../../../console/index.js';
import { html, redirect, type Html } from '../../../kit/index.js';

/** `list_org_substitutes`. */
interface Substitute {
  id: string;
  member: { name: string; email: string };
  substitute: { name: string; email: string };
  starts_on: string;
  ends_on: string;
  created_by: { email: string | null };
}

/** Lets a member choose substitutes for others. */
const SETUP = 'papers.setup.manage';

export const substitutesPage = definePage({
  path: '/substitutes',
  title: 'Substitutes',
  permission: ['papers.document.approve', SETUP],
  operations: ['list_org_substitutes'],
  nav: 'Automation',
  icon: 'repeat-2',
  notices: { chosen: 'The substitute was chosen.', removed: 'The substitution was ended.' },
  async show(visit) {
    const list = await visit.listOfPage<Substitute>('/papers/substitutes', cursorOf(visit));
    return {
      title: 'Substitutes',
      lead: 'Who decides on documents for members who are away.',
      body: html`${
        list.data.length > 0
          ? rows(visit, list.data)
          : emptyState({
              heading: 'Nobody has a substitute',
              text: 'Choose one before you are away, so that documents do not wait for you.',
            })
      }${paging(visit, list)}
<h2 id="choose">${visit.can(SETUP) ? 'Choose a substitute' : 'Choose your substitute'}</h2>${chooseForm(visit)}`,
    };
  },
  actions: {
    choose: {
      operations: ['create_org_substitute'],
      refusal: 'No substitute was chosen',
      async run(visit, values) {
        await visit.post('/papers/substitutes', {
          member_email: values.optional('member_email'),
          substitute_email: values.text('substitute_email'),
          starts_on: values.text('starts_on'),
          ends_on: values.text('ends_on'),
        });
        return redirect(visit.link('/substitutes', { done: 'chosen' }));
      },
    },
    end: {
      operations: ['delete_org_substitute'],
      refusal: 'The substitution was not ended',
      async run(visit, values) {
        await visit.delete(`/papers/substitutes/${encodeURIComponent(values.text('form'))}`);
        return redirect(visit.link('/substitutes', { done: 'removed' }));
      },
    },
  },
});

function rows(visit: Visit, data: readonly Substitute[]): Html {
  return table<Substitute>({
    caption: 'Substitutes, newest first',
    columns: [
      { label: 'Away', cell: ({ member }) => member.name },
      {
        label: 'Substitute',
        cell: ({ member, substitute, created_by: { email } }) =>
          html`${substitute.name}${email !== null && email !== member.email && html`<br><span class="soft">Chosen by ${email}</span>`}`,
      },
      { label: 'From', cell: ({ starts_on }) => starts_on },
      { label: 'To', cell: ({ ends_on }) => ends_on },
      {
        label: 'End',
        cell: ({ id, member }) =>
          visit.can(SETUP) || member.email === visit.visitor.member.email
            ? visit.form('end', { id }).render({ submit: { label: 'End', tone: 'grave', confirm: 'End it now?' } })
            : '',
      },
    ],
    rows: data,
  });
}

function chooseForm(visit: Visit): Html {
  const form = visit.form('choose');
  return form.render({
    className: 'narrow',
    body: html`${
      visit.can(SETUP) &&
      form.text({ name: 'member_email', label: 'E-mail address of who is away', type: 'email', value: visit.visitor.member.email })
    }
${form.text({ name: 'substitute_email', label: 'E-mail address of the substitute', type: 'email' })}
${form.text({ name: 'starts_on', label: 'First day', type: 'date' })}
${form.text({ name: 'ends_on', label: 'Last day', type: 'date' })}`,
    submit: { label: 'Choose' },
  });
}
