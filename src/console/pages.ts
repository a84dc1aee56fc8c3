import type { Manifest } from '../kit/internal.js';
import type { PageDefinition } from './frame/page-definition.js';
import { accountPage } from './account/account.page.js';
import { secondFactorPage } from './account/second-factor.page.js';
import { signOutPage } from './account/sign-out.page.js';
import { binPages } from './bin/bin.page.js';
import { analyticsPage } from './activity/analytics.page.js';
import { logPage } from './activity/log.page.js';
import { logsPage } from './activity/logs.page.js';
import { overviewPage } from './activity/overview.page.js';
import { deliveryPage, foundDeliveryPage } from './deliveries/delivery.page.js';
import { eventTypesPage } from './events/event-types.page.js';
import { eventPage } from './events/event.page.js';
import { eventsPage } from './events/events.page.js';
import { findPage } from './find/find.page.js';
import { appsPage } from './keys/apps.page.js';
import { keyPage } from './keys/key.page.js';
import { keysPage } from './keys/keys.page.js';
import { newKeyPage } from './keys/new-key.page.js';
import { mailPage } from './mail/mail.page.js';
import { mailsPage } from './mail/mails.page.js';
import { auditLogPage } from './settings/audit-log.page.js';
import { customFieldPage, newCustomFieldPage } from './settings/fields/custom-field.page.js';
import { customFieldsPage } from './settings/fields/custom-fields.page.js';
import { invitePage } from './settings/members/invite.page.js';
import { memberPage } from './settings/members/member.page.js';
import { membersPage } from './settings/members/members.page.js';
import { organizationDataPage } from './settings/organization-data.page.js';
import { organizationPage } from './settings/organization.page.js';
import { personErasurePage } from './settings/person-erasure.page.js';
import { newProjectPage, projectPage, projectsPage } from './settings/projects.page.js';
import { newRolePage } from './settings/roles/role-new.page.js';
import { rolePage } from './settings/roles/role.page.js';
import { rolesPage } from './settings/roles/roles.page.js';
import { testDataPage } from './settings/test-data.page.js';
import { setupPage } from './setup/setup.page.js';
import { webhookNewPage } from './webhooks/webhook-new.page.js';
import { webhookPage } from './webhooks/webhook.page.js';
import { webhooksPage } from './webhooks/webhooks.page.js';
import { welcomePage } from './welcome/welcome.page.js';

/**
 * The pages of the console itself, one line each, with the part of the documentation that explains them: without one, that of their entry
 * in the navigation. The order is that of the navigation within each group.
 */
// oxfmt-ignore
const PAGES: readonly [page: PageDefinition, docs?: string][] = [
  [overviewPage, '/docs/guides/first-call'],
  [welcomePage, '/docs/guides/first-call'],
  [keysPage, '/docs/guides/authentication'],
  [newKeyPage, '/docs/guides/authentication#create-roll-and-revoke'],
  [keyPage],
  [appsPage, '/docs/guides/mcp'],
  [organizationPage, '/docs/guides/organization'],
  [membersPage, '/docs/guides/organization#members-and-roles'],
  [invitePage],
  [memberPage],
  [rolesPage, '/docs/guides/organization#members-and-roles'],
  [newRolePage],
  [rolePage],
  [projectsPage, '/docs/guides/projects-and-modes'],
  [newProjectPage],
  [projectPage],
  [customFieldsPage, '/docs/guides/organization#custom-fields'],
  [newCustomFieldPage],
  [customFieldPage],
  [testDataPage, '/docs/guides/test-mode'],
  [auditLogPage, '/docs/guides/organization#audit-log'],
  [organizationDataPage, '/docs/guides/organization#export-deletion-and-people'],
  [personErasurePage, '/docs/guides/organization#export-deletion-and-people'],
  [accountPage, '/docs/guides/organization#your-account'],
  [secondFactorPage, '/docs/guides/organization#your-account'],
  [logsPage, '/docs/guides/authentication#the-log'],
  [logPage, '/docs/guides/errors'],
  [analyticsPage, '/docs/guides/authentication#rate-limits'],
  [webhooksPage, '/docs/guides/webhooks'],
  [webhookNewPage, '/docs/webhooks'],
  [webhookPage],
  [deliveryPage, '/docs/guides/webhooks'],
  [foundDeliveryPage],
  [eventsPage, '/docs/events'],
  [eventTypesPage],
  [eventPage],
  [mailsPage, '/docs/guides/test-mode'],
  [mailPage],
  [findPage, '/docs'],
  [signOutPage, '/docs/guides/organization#your-account'],
];

/** The console's pages, the modules' pages, then the setup page. */
export function pagesWith(modules: readonly Manifest[]): PageDefinition[] {
  const own = PAGES.map(([page, docs]) => ({ docs, ...page }));
  const others = [...binPages(modules), ...modules.flatMap(({ pages = [] }) => pages as readonly PageDefinition[]), setupPage];
  return [...own, ...others];
}
