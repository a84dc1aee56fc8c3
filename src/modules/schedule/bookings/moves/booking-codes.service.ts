import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Mails, type Ctx, type Tx } from '../../../../kit/index.js';
import { BookingCode } from '../../model/records/booking-code.entity.js';
import type { BookingPage } from '../../model/setup/booking-page.entity.js';

export const CODE_MINUTES = 15;
const MOST_CODES = 3;
const MOST_FAILURES = 5;

export type CodeVerdict = 'right' | 'wrong' | 'sent' | 'too_many';

/** Codes that visitors are mailed where a page wants proof of their e-mail address. */
@Injectable()
export class BookingCodes {
  constructor(private readonly mails: Mails) {}

  /** Checks a code, or mails one if none was entered. The caller must commit in any case, because failures are counted. */
  async check(ctx: Ctx, tx: Tx, page: BookingPage, organization: string, guest: string, code: string): Promise<CodeVerdict> {
    const email = guest.toLowerCase();
    await tx.mutex(`booking code ${page.id} ${email}`);
    const recent = await tx.list(
      BookingCode,
      { page_id: page.id, email },
      { sql: `t.created_at > now() - make_interval(mins => :minutes)`, values: { minutes: CODE_MINUTES } },
    );
    if (code.trim() === '') return this.send(ctx, tx, page, organization, email, recent);
    for (const one of recent.filter(({ failures }) => failures < MOST_FAILURES)) {
      // it stays valid: the time may be taken in the same moment
      if (timingSafeEqual(Buffer.from(hashOf(page.id, email, code.trim()), 'hex'), Buffer.from(one.code_hash, 'hex'))) return 'right';
      await tx.update(one, { failures: one.failures + 1 });
    }
    return 'wrong';
  }

  private async send(
    ctx: Ctx,
    tx: Tx,
    page: BookingPage,
    organization: string,
    email: string,
    recent: readonly BookingCode[],
  ): Promise<CodeVerdict> {
    if (recent.length >= MOST_CODES) return 'too_many';
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    await tx.insert(BookingCode, { project_id: page.project_id, page_id: page.id, email, code_hash: hashOf(page.id, email, code) });
    await this.mails.send(ctx, tx, {
      to: email,
      // the subject must not contain the code, because notifications show it on locked screens
      subject: `Your code to book: ${page.title}`,
      text: [
        'Hello,',
        `your code to book "${page.title}" of ${organization} is ${code}. It is valid for ${CODE_MINUTES} minutes.`,
        'If you did not try to book, ignore this mail: nothing is booked without the code.',
      ].join('\n\n'),
      permission: 'schedule.booking.manage',
      confidential: true,
    });
    return 'sent';
  }
}

function hashOf(pageId: string, email: string, code: string): string {
  return createHash('sha256').update(`${pageId} ${email} ${code}`).digest('hex');
}
