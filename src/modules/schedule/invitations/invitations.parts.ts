import type { DomainModuleOptions } from '../../../kit/index.js';
import { FollowInvitations } from './follow-invitations.scheduled-job.js';
import { InvitationCount } from './invitation-count.entity.js';
import { InvitationSettings } from './invitation-settings.js';
import { Invitations } from './invitations.service.js';

/** `invitations/`: mails to invitees, organizers and guests of bookings. */
export const INVITATIONS = {
  entities: [InvitationCount],
  providers: [Invitations],
  settings: [InvitationSettings],
  scheduledJobs: [FollowInvitations],
  retention: [{ table: 'schedule_invitation_counts', column: 'created_at', keepDays: 7 }],
} satisfies Partial<DomainModuleOptions>;
