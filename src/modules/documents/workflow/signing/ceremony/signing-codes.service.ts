import { Injectable } from '@nestjs/common';
import { type FormProblem, type Tx, currentTime } from '../../../../../kit/index.js';
import type { Document } from '../../../model/records/document.entity.js';
import type { SignatureParty } from '../../../model/records/signature-party.entity.js';
import { FollowedMails } from '../../deliveries/followed-mails.service.js';
import { Invitations } from '../parties/invitations.service.js';
import { codeMail } from '../parties/signing-mails.js';
import { CODE_MINUTES, newCode, newCodeProblem, tryCode } from './one-time-code.js';
import type { SigningLink } from './signing-links.service.js';

/** The codes of a second mail, which some parties have to enter besides opening their link. */
@Injectable()
export class SigningCodes {
  constructor(
    private readonly followed: FollowedMails,
    private readonly invitations: Invitations,
  ) {}

  async send({ ctx, look }: SigningLink, tx: Tx, document: Document, party: SignatureParty): Promise<FormProblem[]> {
    const now = currentTime();
    if (party.auth !== 'otp') return [];
    const problem = newCodeProblem(party, now, look.texts.problems);
    if (problem !== null) return [{ field: 'new_code', text: problem }];
    const { code, changes } = newCode(party.id, party, now);
    const mail = codeMail(party, await this.invitations.subjectOf(ctx, document), code, CODE_MINUTES);
    await this.followed.send(ctx, tx, document, party, 'code', mail);
    await tx.update(party, changes);
    return [];
  }

  async check({ look }: SigningLink, tx: Tx, party: SignatureParty, given = '', field = 'code'): Promise<FormProblem[]> {
    if (party.auth !== 'otp') return [];
    const { problem, changes } = tryCode(party.id, party, given.replace(/\s/g, ''), currentTime(), look.texts.problems);
    await tx.update(party, changes);
    return problem === null ? [] : [{ field, text: problem }];
  }
}
