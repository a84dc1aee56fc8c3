import { Inject, Injectable } from '@nestjs/common';
import {
  CommonErrors,
  Contexts,
  DAY_MS,
  Mails,
  newToken,
  organizationName,
  sql,
  Store,
  tokenHash,
  type Ctx,
  type ListQuery,
  type Page,
  type Tx,
} from '../../../kit/index.js';
import { BaseUrl } from '../../config/base-url.js';
import { CONSOLE_PATHS } from '../../config/console-paths.js';
import { HAS_MAIL_SERVER } from '../../mail/mail-outbox.js';
import { PermissionRegistry } from '../../registry/permission-registry.js';
import { requireManager, requirePermissionsOfRole, roleNamed } from '../../people/members/member-rules.js';
import { normalizeEmail } from '../../people/model/member.dto.js';
import { Member } from '../../people/model/member.entity.js';
import { hashPassword } from '../../people/model/passwords.js';
import { Role } from '../../people/model/role.entity.js';
import { memberInvitationMail } from '../mails/account-mails.js';
import type { AcceptInvitationDto, CreateInvitationDto, InvitationWithRole, OpenedInvitationDto } from './invitations.dto.js';
import { Invitation } from './invitation.entity.js';

const VALID_DAYS = 7;

export interface SentInvitation {
  invitation: InvitationWithRole;
  /** Null if the link was mailed. */
  link: string | null;
}

interface FoundInvitation {
  id: string;
  organization_id: string;
  organization: string;
  inviter: string | null;
  email: string;
  name: string;
  role: string;
  expires_at: Date;
}

/** Invitations by mail: invited people set their own password, so nobody has to give them one. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly store: Store,
    private readonly contexts: Contexts,
    private readonly mails: Mails,
    private readonly baseUrl: BaseUrl,
    private readonly permissions: PermissionRegistry,
    @Inject(HAS_MAIL_SERVER) private readonly sendsMail: boolean,
  ) {}

  async page(ctx: Ctx, query: ListQuery): Promise<Page<InvitationWithRole>> {
    const [page, roles] = await Promise.all([this.store.page(ctx, Invitation, query), this.store.list(ctx, Role)]);
    return { ...page, data: page.data.map((invitation) => withRole(invitation, roles)) };
  }

  create(ctx: Ctx, body: CreateInvitationDto): Promise<SentInvitation> {
    const email = normalizeEmail(body.email);
    return this.store.write(ctx, async (tx) => {
      const roles = await tx.list(Role);
      const role = roleNamed(body.role, roles);
      requirePermissionsOfRole(this.permissions, ctx, role);
      if (body.manager_id) await requireManager(tx, body.manager_id);
      if ((await tx.list(Member, { email })).length > 0)
        throw CommonErrors.duplicate({ param: 'email', message: 'A member with this email already exists' });
      const { token, hash } = newToken();
      const invitation = await tx.insert(Invitation, {
        email,
        name: body.name,
        role_id: role.id,
        manager_id: body.manager_id ?? null,
        invited_by: ctx.memberId,
        token_hash: hash,
        expires_at: endFrom(tx),
      });
      return this.send(ctx, tx, withRole(invitation, roles), token);
    });
  }

  /** Sends a new link, for another seven days; the earlier one no longer works. */
  resend(ctx: Ctx, id: string): Promise<SentInvitation> {
    return this.store.write(ctx, async (tx) => {
      const invitation = await tx.target(Invitation, id);
      const roles = await tx.list(Role);
      requirePermissionsOfRole(this.permissions, ctx, roles.find((role) => role.id === invitation.role_id) as Role);
      const { token, hash } = newToken();
      const renewed = await tx.update(invitation, { token_hash: hash, expires_at: endFrom(tx) });
      return this.send(ctx, tx, withRole(renewed, roles), token);
    });
  }

  withdraw(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => tx.delete(await tx.target(Invitation, id)));
  }

  private async send(ctx: Ctx, tx: Tx, invitation: InvitationWithRole, token: string): Promise<SentInvitation> {
    const link = `${this.baseUrl.value}${CONSOLE_PATHS.invitation}?token=${token}`;
    // a link in the outbox, which colleagues may read, would let them become that member
    if (!this.sendsMail) return { invitation, link };
    const name = await organizationName(tx);
    // the one whom the page names, also if a colleague sends it again
    const inviter = invitation.invited_by === null ? null : await tx.find(Member, invitation.invited_by);
    const mail = memberInvitationMail({ ...invitation, inviter }, name, link, VALID_DAYS);
    await this.mails.send(this.contexts.system({ organizationId: ctx.organizationId, projectId: null, mode: 'live' }), tx, mail);
    return { invitation, link: null };
  }

  async open(token: string): Promise<OpenedInvitationDto> {
    const { organization, inviter, email, name, role, expires_at } = await this.find(token);
    return { object: 'opened_invitation', organization, inviter, email, name, role, expires_at: expires_at.toISOString() };
  }

  /** Makes the invited person a member. */
  async accept({ token, name, password }: AcceptInvitationDto): Promise<void> {
    const found = await this.find(token);
    const password_hash = await hashPassword(password);
    await this.store.write(this.contexts.system({ organizationId: found.organization_id, projectId: null, mode: 'live' }), async (tx) => {
      const [invitation] = await tx.lockWhere(Invitation, { id: found.id, token_hash: tokenHash(token) as string });
      if (!invitation) throw linkInvalid();
      const { email, role_id, manager_id } = invitation;
      await tx.insert(Member, { email, name: name ?? invitation.name, role_id, manager_id, password_hash, status: 'active' });
      await tx.delete(invitation);
    });
  }

  private async find(token: string): Promise<FoundInvitation> {
    const hash = tokenHash(token);
    const found =
      hash &&
      (await this.contexts.findAcrossTenants<FoundInvitation>(
        sql.unscoped('the invitation that a link names')`
          SELECT i.id, i.organization_id, o.name AS organization, m.name AS inviter, i.email, i.name, r.name AS role, i.expires_at
          FROM member_invitations i JOIN organizations o ON o.id = i.organization_id JOIN roles r ON r.id = i.role_id
          LEFT JOIN members m ON m.id = i.invited_by
          WHERE i.token_hash = ${hash} AND i.expires_at > now()`,
      ));
    if (!found) throw linkInvalid();
    return found;
  }
}

function endFrom({ startedAt }: Tx): Date {
  return new Date(startedAt.getTime() + VALID_DAYS * DAY_MS);
}

function withRole(invitation: Invitation, roles: readonly Role[]): InvitationWithRole {
  return Object.assign(invitation, { role: roles.find(({ id }) => id === invitation.role_id)?.name ?? '' });
}

function linkInvalid(): Error {
  return CommonErrors.validationFailed({
    param: 'token',
    message: 'The link was used already, was replaced or withdrawn, or has expired; ask for a new invitation',
  });
}
