import { randomInt, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Mails, own, Settings, sql, table, type Tx } from '../../../../kit/index.js';
import { BookingCode } from '../../model/records/booking-code.entity.js';
import type { OpenPage } from '../free-times/open-pages.service.js';
import { bookingCodeMail } from './booking-code-mail.js';
import { MOST_PER_ADDRESS_AND_DAY } from './booking-limits.js';

const CODE_MINUTES = 15;
const MOST_CODES = 3;
const MOST_FAILURES = 5;

export type CodeVerdict = 'right' | 'wrong' | 'sent' | 'too_many' | 'address_limited';

/** A visitor who wants to prove an e-mail address. */
export interface CodeRequest {
  email: string;
  /** Empty to request one by mail. */
  code: string;
  /** `Visitor.limitKey` */
  address: string;
}

/** Codes that visitors get by mail if a page requires proof of their e-mail address. */
@Injectable()
export class BookingCodes {
  constructor(
    private readonly mails: Mails,
    private readonly settings: Settings,
  ) {}

  /** Checks a code, or mails one if none was entered. The caller must commit in any case, because failures are counted. */
  async check(tx: Tx, open: OpenPage, { email: given, code, address }: CodeRequest): Promise<CodeVerdict> {
    const { page } = open;
    const email = given.toLowerCase();
    await tx.advanced.mutex(`booking code ${page.id} ${email}`);
    const recent = await tx.list(
      BookingCode,
      { page_id: page.id, email },
      sql`t.created_at > now() - make_interval(mins => ${CODE_MINUTES})`,
    );
    if (code.trim() === '') return this.send(tx, open, email, address, recent);
    const hash = Buffer.from(this.hashOf(page.id, email, code.trim()));
    for (const one of recent.filter(({ failures }) => failures < MOST_FAILURES)) {
      const stored = Buffer.from(one.code_hash);
      // it stays valid, because the booking may still fail if the time was just taken
      if (stored.length === hash.length && timingSafeEqual(hash, stored)) return 'right';
      await tx.update(one, { failures: one.failures + 1 });
    }
    return 'wrong';
  }

  private async send(
    tx: Tx,
    { ctx, page, calendar, organization }: OpenPage,
    email: string,
    address: string,
    recent: readonly BookingCode[],
  ): Promise<CodeVerdict> {
    if (recent.length >= MOST_CODES) return 'too_many';
    const address_hash = this.settings.mac(`booking code address ${address}`);
    if ((await mailedBy(tx, address_hash)) >= MOST_PER_ADDRESS_AND_DAY) return 'address_limited';
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const code_hash = this.hashOf(page.id, email, code);
    await tx.insert(BookingCode, { project_id: page.project_id, page_id: page.id, email, code_hash, address_hash });
    await this.mails.send(ctx, tx, bookingCodeMail(email, { page, calendar, organization }, code, CODE_MINUTES));
    return 'sent';
  }

  private hashOf(pageId: string, email: string, code: string): string {
    return this.settings.mac(`booking code ${pageId} ${email} ${code}`);
  }
}

/** The number of codes mailed for a visitor within a day. `exceededLimit` has locked the address. */
async function mailedBy(tx: Tx, addressHash: string): Promise<number> {
  const [{ count }] = await tx.sql<{ count: number }>(
    sql.inAllProjects('the limit of codes counts those of all projects')`SELECT count(*)::int AS count FROM ${table(BookingCode)} c
      WHERE ${own('c')} AND c.address_hash = ${addressHash} AND c.created_at > now() - interval '1 day'`,
  );
  return count;
}
