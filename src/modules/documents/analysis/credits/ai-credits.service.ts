import { Injectable } from '@nestjs/common';
import { Contexts, invalid, Store, type Actor, type Ctx, type Tx } from '../../../../kit/index.js';
import { AiCreditAccount } from './ai-credit-account.entity.js';
import { AiCreditEntry, type CreditEntryKind } from './ai-credit-entry.entity.js';
import { AiRun } from './ai-run.entity.js';

/** The initial grant of every organization, booked on first use. */
const INITIAL_GRANT = 1_000;
const SYSTEM: Actor = { type: 'system', id: null, email: null };

/** A request to reserve credits. */
export interface Reservation {
  cacheKey: string;
  forced: boolean;
  credits: number;
  actor: Actor;
  documentId: string | null;
  expiresAt: Date;
}

export type Reserved = { run: AiRun } | { rejected: 'running' | 'insufficient'; available: number };

/**
 * The credits of organizations. Each change runs in its own transaction, locks the account and writes a ledger entry: an
 * analysis takes minutes, and no transaction may stay open that long. Credits reserved by a process that died are released
 * when its run expires.
 */
@Injectable()
export class AiCredits {
  constructor(
    private readonly store: Store,
    private readonly contexts: Contexts,
  ) {}

  /** The balance less the reserved credits. */
  async available(ctx: Ctx): Promise<number> {
    const { balance, reserved } = await this.balances(ctx);
    return balance - reserved;
  }

  /** Those of the account, or those that it will begin with: the first change creates it. */
  async balances(ctx: Ctx): Promise<Pick<AiCreditAccount, 'balance' | 'reserved'>> {
    const [account] = await this.store.list(ctx, AiCreditAccount);
    return account ?? { balance: INITIAL_GRANT, reserved: 0 };
  }

  async grant(ctx: Ctx, amount: number, note: string | null): Promise<AiCreditAccount> {
    return this.store.write(ctx, async (tx) => {
      const account = await lockAccount(ctx, tx);
      if (account.balance + amount > 1_000_000_000) throw invalid('amount', 'would raise the balance above 1,000,000,000 credits');
      // a grant is administration; what runs reserve and use is work
      tx.advanced.audit({ objectType: 'ai_credit_account', objectId: account.id, action: 'granted', after: { amount, note } });
      return book(tx, account, 'grant', { amount, actor: ctx.actor, note });
    });
  }

  /** Reserves credits for a run; rejected while the same analysis is running or if credits are insufficient. */
  reserve(ctx: Ctx, { cacheKey, forced, credits, actor, documentId, expiresAt }: Reservation): Promise<Reserved> {
    return this.apart(ctx, async (tx) => {
      let account = await lockAccount(ctx, tx);
      const [running] = forced ? [] : await tx.list(AiRun, { cache_key: cacheKey, forced: false });
      if (running && running.expires_at.getTime() > Date.now())
        return { rejected: 'running', available: account.balance - account.reserved };
      if (running) account = await giveBack(tx, account, running, 'expired');
      const available = account.balance - account.reserved;
      if (available < credits) return { rejected: 'insufficient', available };
      const run = await tx.insert(AiRun, {
        cache_key: cacheKey,
        forced,
        credits,
        actor,
        document_id: documentId,
        expires_at: expiresAt,
      });
      await book(tx, account, 'reserve', entryOf(run));
      return { run };
    });
  }

  /** Captures the reserved credits in one transaction with `store`; null if the run had expired and its credits were released. */
  capture<R>(ctx: Ctx, run: AiRun, store: (tx: Tx) => Promise<R>): Promise<{ stored: R; available: number } | null> {
    return this.apart(ctx, async (tx) => {
      const account = await lockAccount(ctx, tx);
      const reserved = await tx.find(AiRun, run.id);
      if (!reserved) return null;
      await tx.delete(reserved);
      const after = await book(tx, account, 'capture', entryOf(reserved));
      return { stored: await store(tx), available: after.balance - after.reserved };
    });
  }

  /** Releases the reserved credits; a no-op if the run is already settled. */
  release(ctx: Ctx, run: Pick<AiRun, 'id'>, note: string): Promise<void> {
    return this.apart(ctx, async (tx) => {
      const account = await lockAccount(ctx, tx);
      const reserved = await tx.find(AiRun, run.id);
      if (reserved) await giveBack(tx, account, reserved, note);
    });
  }

  /** Runs in its own transaction, even inside a request that has one open. */
  private apart<R>({ organizationId, mode }: Ctx, change: (tx: Tx) => Promise<R>): Promise<R> {
    return this.store.write(this.contexts.system({ organizationId, projectId: null, mode }), change);
  }
}

/** The account, locked. The mutex, rather than a rejected insert, decides who creates it. */
async function lockAccount(ctx: Ctx, tx: Tx): Promise<AiCreditAccount> {
  let [account] = await tx.list(AiCreditAccount);
  if (account) return tx.lock(AiCreditAccount, account.id);
  await tx.advanced.mutex(`ai_credit_accounts ${ctx.organizationId}`);
  [account] = await tx.list(AiCreditAccount);
  if (account) return tx.lock(AiCreditAccount, account.id);
  await tx.insert(AiCreditEntry, {
    kind: 'grant',
    amount: INITIAL_GRANT,
    balance: INITIAL_GRANT,
    reserved: 0,
    actor: SYSTEM,
    note: 'Initial grant',
  });
  return tx.insert(AiCreditAccount, { balance: INITIAL_GRANT, reserved: 0 });
}

async function giveBack(tx: Tx, account: AiCreditAccount, run: AiRun, note: string): Promise<AiCreditAccount> {
  await tx.delete(run);
  return book(tx, account, 'release', { ...entryOf(run), note });
}

/** What entries say of a run. */
function entryOf({ id, credits, actor, document_id }: AiRun) {
  return { amount: credits, run_id: id, actor, document_id };
}

const EFFECTS: Record<CreditEntryKind, { balance: number; reserved: number }> = {
  grant: { balance: 1, reserved: 0 },
  reserve: { balance: 0, reserved: 1 },
  capture: { balance: -1, reserved: -1 },
  release: { balance: 0, reserved: -1 },
};

async function book(
  tx: Tx,
  account: AiCreditAccount,
  kind: CreditEntryKind,
  entry: Pick<AiCreditEntry, 'amount' | 'actor'> & Partial<AiCreditEntry>,
): Promise<AiCreditAccount> {
  const { balance, reserved } = EFFECTS[kind];
  const after = await tx.update(account, {
    balance: account.balance + balance * entry.amount,
    reserved: account.reserved + reserved * entry.amount,
  });
  await tx.insert(AiCreditEntry, { ...entry, kind, balance: after.balance, reserved: after.reserved });
  return after;
}
