import { html, redirect } from '../../kit/index.js';
import type { OrganizationDto } from '../../platform/people/organizations/organization.dto.js';
import { definePage } from '../frame/page-definition.js';

const KEPT_BODIES = [
  { value: 'none', label: 'None', hint: html`<br>The log shows who called what, when, and how it ended.` },
  { value: 'test', label: 'Those of test calls', hint: html`<br>Live data never enters the log.` },
  { value: 'errors', label: 'Those of test calls and of live calls that fail', hint: html`<br>Successful live calls keep none.` },
];

export const organizationPage = definePage({
  path: '/settings/organization',
  title: 'General',
  permission: 'org.members.manage',
  operations: ['get_organization'],
  nav: 'Organization',
  icon: 'building-2',
  notices: { changed: 'The settings were saved.' },
  async show(visit) {
    const organization = await visit.get<OrganizationDto>('/organization');
    const form = visit.form('change');
    return {
      title: 'General',
      lead: 'What applies to everybody in your organization.',
      body: form.render({
        className: 'narrow',
        version: organization.version,
        body: html`${form.text({
          name: 'name',
          label: 'Name of the organization',
          hint: 'People see it on invitations, mails and public pages.',
          value: organization.name,
        })}
<h2>Sign-in</h2>
${form.tick({
  name: 'requires_second_factor',
  label: 'Require a second factor',
  hint: 'Of everybody whose role manages keys, members or roles. Those without one set it up before anything else; you need one first.',
  checked: organization.requires_second_factor,
})}
<h2>Request log</h2>
${form.radios({
  name: 'kept_bodies',
  label: 'Bodies of calls to keep',
  hint: 'For seven days, encrypted, without secrets, names and addresses.',
  value: organization.kept_bodies,
  options: KEPT_BODIES,
})}`,
        submit: { label: 'Save' },
      }),
    };
  },
  actions: {
    change: {
      operations: ['update_organization'],
      refusal: 'The settings were not saved',
      async run(visit, values) {
        const changes = {
          name: values.text('name'),
          requires_second_factor: values.has('requires_second_factor'),
          kept_bodies: values.text('kept_bodies'),
        };
        await visit.patch('/organization', changes, Number(values.text('version')));
        return redirect(visit.here({ done: 'changed' }));
      },
    },
  },
});
