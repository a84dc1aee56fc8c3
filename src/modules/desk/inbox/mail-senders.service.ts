import { Injectable } from '@nestjs/common';
import { Members, Settings, type Ctx, type Member, type Tx } from '../../../kit/index.js';
import { isVerified } from '../mail/inbound/authentication.js';
import type { InboundMail } from '../mail/inbound/inbound-mail.js';
import { writerOf, type Writer } from '../mail/inbound/writer.js';
import { DeskMailbox } from '../model/mailbox.entity.js';

/** Who is behind a mail, as the organization knows them. */
export interface Sender {
  /** Null if the mail has no sender. */
  writer: Writer | null;
  /** The member who may answer tickets and whom From names. From can be forged, so it proves nothing unless `isVerified`. */
  agent: Member | null;
  isVerified: boolean;
  /** The addresses of mailboxes and of the suite's own mails. */
  isOwn: (email: string) => boolean;
  isTrusted: (domain: string) => boolean;
}

/** Tells who sent a mail: a person, somebody behind a group or a form, the suite itself, an agent. */
@Injectable()
export class MailSenders {
  constructor(
    private readonly members: Members,
    private readonly settings: Settings,
  ) {}

  async of(ctx: Ctx, tx: Tx, mailbox: DeskMailbox, mail: InboundMail): Promise<Sender> {
    const own = new Set((await tx.list(DeskMailbox)).map(({ address }) => address));
    const isOwnDomain = within([domainOf(mailbox.address), ...mailbox.trusted_domains]);
    const isOwn = (email: string) => own.has(email) || email === this.settings.mailFrom.address.toLowerCase();
    const member = mail.from === null ? null : await this.members.byEmail(ctx, mail.from.email);
    const writer = writerOf(mail, { isOwn, isOwnDomain: (email) => isOwnDomain(domainOf(email)), isMember: () => member !== null });
    const agent = member === null || writer?.isNamedOnly !== false ? null : await this.agentOf(ctx, member);
    const server = mailbox.authentication_server;
    return {
      writer,
      agent,
      isVerified: agent !== null && server !== null && isVerified(mail.authenticationResults, server, agent.email.toLowerCase()),
      isOwn,
      isTrusted: within(mailbox.trusted_domains),
    };
  }

  private async agentOf(ctx: Ctx, { id }: Member): Promise<Member | null> {
    return (await this.members.withPermission(ctx, 'desk.ticket.manage')).find((member) => member.id === id) ?? null;
  }
}

export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}

function within(domains: readonly string[]): (domain: string) => boolean {
  return (domain) => domains.some((trusted) => domain === trusted || domain.endsWith(`.${trusted}`));
}
