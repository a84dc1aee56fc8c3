import type { DomainModuleOptions } from '../../../kit/index.js';
import { EventInvitees } from './event-invitees.js';
import { InviteesController } from './invitees.controller.js';
import { InviteesService } from './invitees.service.js';

/** The people who are invited to events. */
export const INVITEES = {
  controllers: [InviteesController],
  providers: [EventInvitees, InviteesService],
} satisfies Partial<DomainModuleOptions>;
