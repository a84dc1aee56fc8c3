import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';
import { productFiles, textOf } from './source-files.js';

const inModules = productFiles().filter((path) => path.startsWith('src/modules/'));

function found(paths: readonly string[], pattern: RegExp): string[] {
  return paths.flatMap((path) => [...textOf(path).matchAll(pattern)].map(([, what]) => `${path}: ${what}`)).sort();
}

function tablesOfMigrations(): Set<string> {
  const folder = join(PROJECT_ROOT, 'migrations');
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  return new Set(texts.flatMap((text) => [...text.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/g)].map(([, name]) => name)));
}

it('statements that are not restricted to their caller are known, with the reason', () => {
  expect(found(inModules, /(?:\.unscoped|entityManager)\(\s*['`]([^'`]*)['`]/g)).toEqual([
    'src/modules/accounting/jobs/overdue.scheduled-job.ts: due rows of all organizations',
    'src/modules/accounting/jobs/reminders.scheduled-job.ts: due rows of all organizations',
    'src/modules/desk/attachments/attachments.service.ts: the attachment that a signed link names',
    'src/modules/desk/deliveries/follow-deliveries.scheduled-job.ts: due rows of all organizations',
    'src/modules/desk/inbox/erase-raw-mails.scheduled-job.ts: due rows of all organizations',
    'src/modules/desk/inbox/received-mails.service.ts: the mailbox that a token names',
    'src/modules/desk/jobs/close-solved.scheduled-job.ts: due rows of all organizations',
    'src/modules/desk/jobs/end-snoozes.scheduled-job.ts: due rows of all organizations',
    'src/modules/desk/jobs/report-breaches.scheduled-job.ts: due rows of all organizations',
    'src/modules/desk/ratings/ask-for-ratings.scheduled-job.ts: due rows of all organizations',
    'src/modules/desk/ratings/ratings.service.ts: the rating that a token names',
    'src/modules/documents/ai/credits/release-expired-runs.scheduled-job.ts: due rows of all organizations',
    'src/modules/documents/ai/drift/check-rule-packs.scheduled-job.ts: due rows of all organizations',
    'src/modules/documents/approval-page/approval-page.service.ts: the approval link that a token names',
    'src/modules/documents/expiry/expire-documents.scheduled-job.ts: due rows of all organizations',
    'src/modules/documents/expiry/remind-validity.scheduled-job.ts: due rows of all organizations',
    'src/modules/documents/generation/forms/form-visits.service.ts: the form that an address names',
    'src/modules/documents/obligations/follow-obligations.scheduled-job.ts: due rows of all organizations',
    'src/modules/documents/settings/document-settings.controller.ts: the logo that an address names',
    'src/modules/documents/sharing/shared-documents.service.ts: the share link that a token names',
    'src/modules/documents/signing/ceremony/signing-links.service.ts: the party whom a token names',
    'src/modules/documents/signing/parties/follow-invitations.scheduled-job.ts: due rows of all organizations',
    'src/modules/documents/signing/parties/remind-parties.scheduled-job.ts: due rows of all organizations',
    'src/modules/documents/workflow/escalate-approvals.scheduled-job.ts: due rows of all organizations',
    'src/modules/documents/workflow/release-approvers.scheduled-job.ts: due rows of all organizations',
    'src/modules/hr/jobs/leave-years.scheduled-job.ts: due rows of all organizations',
    'src/modules/hr/jobs/recompute.scheduled-job.ts: due rows of all organizations',
    'src/modules/hr/jobs/statuses.scheduled-job.ts: due rows of all organizations',
    'src/modules/inventory/lots/expire-lots.scheduled-job.ts: due rows of all organizations',
    'src/modules/inventory/reservations/expire-reservations.scheduled-job.ts: due rows of all organizations',
    'src/modules/lead-webhook/log/mask-lead-bodies.scheduled-job.ts: due organizations',
    'src/modules/schedule/answers/answers.service.ts: the invitee whom a token names',
    'src/modules/schedule/bookings/free-times/open-pages.service.ts: the booking page that an address names',
    'src/modules/schedule/bookings/lapse-pending.scheduled-job.ts: due rows of all organizations',
    'src/modules/schedule/bookings/visitor-routes/guest-bookings.service.ts: the booking that a token names',
    'src/modules/schedule/feeds/feed-reader.service.ts: the feed that a token names',
    'src/modules/schedule/invitations/follow-invitations.scheduled-job.ts: due rows of all organizations',
    'src/modules/schedule/occupancies/person-changes.ts: a person has one time in both modes and in all projects of the caller',
    'src/modules/schedule/reminders/send-reminders.scheduled-job.ts: due rows of all organizations',
    'src/modules/schedule/zone-changes/follow-zones.scheduled-job.ts: due rows of all organizations',
    'src/modules/schedule/zone-changes/follow-zones.scheduled-job.ts: past events of all organizations',
    'src/modules/storefront/shipping/cancel-unpaid.scheduled-job.ts: due rows of all organizations',
    'src/modules/tasks/task/task-hierarchy.service.ts: the caller has locked the tasks, and a hierarchy is in one tenant',
  ]);
});

it('statements that go beyond the mode or the project of their caller are known', () => {
  expect(found(inModules, /sql\.(inBothModes|inAllProjects)`/g)).toEqual([
    'src/modules/accounting/setup/setup.service.ts: inBothModes',
    'src/modules/accounting/setup/setup.service.ts: inBothModes',
    'src/modules/crm/setup/crm-setup.service.ts: inBothModes',
    'src/modules/desk/inbox/mail-filing.service.ts: inAllProjects',
    'src/modules/desk/inbox/mail-twins.ts: inAllProjects',
    'src/modules/desk/mail/outbound/ticket-mails.service.ts: inAllProjects',
    'src/modules/desk/setup/desk-setup.service.ts: inBothModes',
    'src/modules/desk/setup/desk-setup.service.ts: inBothModes',
    'src/modules/documents/ai/drift/regulatory-drift.ts: inBothModes',
    'src/modules/documents/generation/forms/forms.service.ts: inBothModes',
    'src/modules/documents/model/records/numbering.ts: inAllProjects',
    'src/modules/documents/model/records/numbering.ts: inAllProjects',
    'src/modules/hr/balances/leave-accounts.ts: inBothModes',
    'src/modules/hr/balances/leave-accounts.ts: inBothModes',
    'src/modules/hr/balances/leave-accounts.ts: inBothModes',
    'src/modules/hr/balances/leave-accounts.ts: inBothModes',
    'src/modules/hr/balances/leave-accounts.ts: inBothModes',
    'src/modules/hr/employees/employee-import.service.ts: inAllProjects',
    'src/modules/hr/employees/employees.service.ts: inAllProjects',
    'src/modules/hr/employees/employees.service.ts: inAllProjects',
    'src/modules/hr/employees/employees.service.ts: inAllProjects',
    'src/modules/hr/employees/employees.service.ts: inAllProjects',
    'src/modules/hr/setup/setup.service.ts: inBothModes',
    'src/modules/hr/setup/setup.service.ts: inBothModes',
    'src/modules/inventory/setup/inventory-setup.service.ts: inBothModes',
    'src/modules/schedule/availability/slot-finder.service.ts: inAllProjects',
    'src/modules/schedule/booking-pages/booking-pages.service.ts: inBothModes',
    'src/modules/schedule/bookings/lifecycle/booking-codes.service.ts: inAllProjects',
    'src/modules/schedule/bookings/lifecycle/booking-limits.ts: inAllProjects',
    'src/modules/schedule/occupancies/capacity-changes.ts: inBothModes',
    'src/modules/schedule/occupancies/capacity-changes.ts: inBothModes',
    'src/modules/schedule/occupancies/conflicts.ts: inAllProjects',
    'src/modules/schedule/resources/resources.service.ts: inBothModes',
    'src/modules/storefront/setup/storefront-setup.service.ts: inBothModes',
    'src/modules/tasks/setup/task-setup.service.ts: inBothModes',
  ]);
});

function moduleOf(path: string): string {
  return path.split('/')[2];
}

/** Tables of the platform that virtual columns read: the names of members, and the time zones of projects. */
const PLATFORM = ['members', 'projects'];

/** The virtual columns of an entity are texts, which name its module's tables. */
function isOwnInEntity(path: string, table: string): boolean {
  const own = inModules.filter((other) => other.endsWith('.entity.ts') && moduleOf(other) === moduleOf(path));
  return (
    path.endsWith('.entity.ts') && (PLATFORM.includes(table) || found(own, /@Entity\('(\w+)'/g).some((one) => one.endsWith(`: ${table}`)))
  );
}

// `table(Entity)` needs the class, which a module can import only of its own or from the public face of another
it('modules name tables by their entities', () => {
  const tables = tablesOfMigrations();
  const named = found(inModules, /\b(?:FROM|JOIN|UPDATE|INTO|USING)\s+(?:ONLY\s+)?"?([a-z_]\w*)"?/g);
  const foreign = named.filter((one) => {
    const [path, table] = one.split(': ');
    return tables.has(table) && !isOwnInEntity(path, table);
  });
  expect(foreign).toEqual([]);
});
