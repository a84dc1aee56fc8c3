import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Invitation } from './invitations/invitation.entity.js';
import { InvitationsController } from './invitations/invitations.controller.js';
import { InvitationsService } from './invitations/invitations.service.js';
import { PasswordResetRequest } from './passwords/password-reset-request.entity.js';
import { PasswordResetRequests } from './passwords/password-reset-requests.js';
import { PasswordsController } from './passwords/passwords.controller.js';
import { PasswordsService } from './passwords/passwords.service.js';

/**
 * What members do with mailed links. Separate from `people/`, which the command line uses without mail.
 * - `passwords/` changing the own password, and links that set a new one
 * - `invitations/` links with which invited people become members
 */
@Module({
  imports: [TypeOrmModule.forFeature([Invitation, PasswordResetRequest])],
  controllers: [PasswordsController, InvitationsController],
  providers: [PasswordsService, PasswordResetRequests, InvitationsService],
})
export class AccountModule {}
