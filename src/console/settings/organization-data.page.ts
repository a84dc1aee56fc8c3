import { FileResponse, html, type Html } from '../../kit/index.js';
import type { OrganizationClosureDto } from '../../platform/organization-data/closures/closures.dto.js';
import { definitions } from '../components/blocks.js';
import { timeOf } from '../components/times.js';
import { requireTyped, typedConfirmation } from '../components/typed-confirmation.js';
import { definePage, type View } from '../frame/page-definition.js';
import type { Visit } from '../frame/visit.js';

const EXPORT = 'org.data.export';
const CLOSE = 'org.organization.delete';

export const organizationDataPage = definePage({
  path: '/settings/data',
  title: 'Export and deletion',
  permission: [EXPORT, CLOSE],
  operations: [],
  nav: 'Organization',
  icon: 'download',
  show: (visit) => ({
    title: 'Export and deletion',
    lead: 'Of everything that your organization has stored.',
    body: html`${visit.may('export') && exporting(visit)}${visit.may('close') && closing(visit)}`,
  }),
  actions: {
    export: {
      permission: EXPORT,
      operations: ['export_organization'],
      refusal: 'Nothing was exported',
      async run(visit) {
        const { content, filename } = await visit.fileInParts('/organization/export');
        const options = { filename, download: true, status: 200, headers: { 'Cache-Control': 'no-store' } };
        return new FileResponse('application/gzip', content, options);
      },
    },
    close: {
      permission: CLOSE,
      operations: ['close_organization'],
      refusal: 'Your organization was not deleted',
      fields: { organization_name: 'typed' },
      async run(visit, values) {
        const { organizationName } = visit.visitor;
        requireTyped(values, organizationName);
        const body = { organization_name: organizationName };
        return closed(visit, await visit.post<OrganizationClosureDto>('/organization/closure', body));
      },
    },
  },
});

function exporting(visit: Visit): Html {
  return html`<h2>Export</h2>${visit.form('export').render({
    className: 'narrow',
    body: html`<p><b>What is in it:</b> all rows of all modules as JSON Lines, all files, and a <code>manifest.json</code> that describes
them, in one tar.gz archive.<br><b>What is not:</b> secrets, such as keys and passwords, and sessions.</p>
<p class="soft">A large archive takes minutes, and ends with your session or its confirmation. An interrupted download has to begin
again; a program that calls <code>export_organization</code> part by part continues.</p>`,
    submit: { label: 'Download everything' },
  })}`;
}

function closing(visit: Visit): Html {
  return html`<h2>Delete the organization</h2>${typedConfirmation(visit, 'close', {
    name: visit.visitor.organizationName,
    explanation: html`<b>At once:</b> everybody is signed out, you too. Keys, public links, webhooks, mails and scheduled work stop.<br>
<b>After a grace period:</b> all rows and files are erased, live and test data. It is 30 days, unless the operator of this installation has
set another; the next page names the day.<br><b>Until then:</b> the operator can open the organization again. No member can.<br>
<b>It is refused</b> while a legal hold lies on anything.`,
    submit: 'Delete the organization',
  })}`;
}

/** The answer to the form: whoever deleted the organization has no session any more. */
function closed({ visitor }: Visit, { closed_at, erase_at }: OrganizationClosureDto): View {
  return {
    title: 'Your organization is closed',
    lead: 'You are signed out. Keep this page: nobody can sign in to read it again.',
    status: 202,
    body: html`<div class="note done" role="status" tabindex="-1" autofocus><h2>Nothing is erased yet</h2>
<p>If this was a mistake, ask the operator of this installation, before the data is erased, to run:</p>
<p><code>work-suite org reopen ${visitor.organizationId}</code></p></div>${definitions([
      ['Closed', timeOf(closed_at)],
      ['Data is erased', timeOf(erase_at)],
    ])}`,
  };
}
