import type { DomainModuleOptions } from '../../../kit/index.js';
import { AnswersController } from './answers.controller.js';
import { Answers } from './answers.service.js';
import { FollowInvitations } from './follow-invitations.scheduled-job.js';
import { InvitationCount } from './invitation-count.entity.js';
import { Invitations } from './invitations.service.js';

/** `invitations/`: mails to invitees and organizers, and the page on which invitees answer. */
export const INVITATIONS = {
  entities: [InvitationCount],
  controllers: [AnswersController],
  providers: [Invitations, Answers],
  scheduledJobs: [FollowInvitations],
  retention: [{ table: 'schedule_invitation_counts', column: 'created_at', keepDays: 7 }],
} satisfies Partial<DomainModuleOptions>;
