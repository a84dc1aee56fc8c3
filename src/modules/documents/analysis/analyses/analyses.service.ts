import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { currentTime, Store, type Ctx, type Tx } from '../../../../kit/index.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { AiAnalysis } from './ai-analysis.entity.js';
import { AiCredits } from '../credits/ai-credits.service.js';
import { priceOf } from '../credits/analysis-prices.js';
import { AiProviders } from './ai-providers.js';
import type { AiRun } from '../credits/ai-run.entity.js';
import { AiFailure, ranked, type AiProvider, type AnalysisKind, type RisksResult, type SummaryResult } from '../provider/provider.js';

/** A text and how to analyze it. */
export interface AnalysisRequest {
  kind: AnalysisKind;
  text: string;
  perspective: string;
  customFocus: string | null;
  /** Ignore earlier results: analyze again and charge again. */
  force: boolean;
  /** The document that has the text; null if the call sent it. */
  documentId: string | null;
}

/** An analysis and what this call was charged for it. */
export interface Analysed {
  analysis: Pick<AiAnalysis, 'id' | 'perspective' | 'provider' | 'model' | 'result' | 'analysed_at'>;
  cached: boolean;
  charged: number;
  balance: number;
  /** The credits that a live call would cost, in test mode and of a plan; else null. */
  wouldCharge: number | null;
}

/** A run expires this long after the model's timeout; then its credits are released. */
const GRACE_MS = 60_000;
const LOOK_AGAIN_MS = 250;

/** Analyzes texts: from the cache, or else reserve, call, capture. No transaction is open during the call. */
@Injectable()
export class Analyses {
  constructor(
    private readonly store: Store,
    private readonly credits: AiCredits,
    private readonly providers: AiProviders,
  ) {}

  async run(ctx: Ctx, request: AnalysisRequest, signal: AbortSignal): Promise<Analysed> {
    playScenario(ctx);
    const provider = this.providers.for(ctx.mode);
    const key = cacheKeyOf(request, provider);
    return asFailed(() =>
      ctx.mode === 'test' ? this.runFree(ctx, request, provider, key, signal) : this.runCharged(ctx, request, provider, key, signal),
    );
  }

  /** What `run` would return from the cache, or else an empty result with what it would cost. It asks no model and reserves no credits. */
  plan(ctx: Ctx, request: AnalysisRequest): Promise<Analysed> {
    playScenario(ctx);
    const provider = this.providers.for(ctx.mode);
    return asFailed(async () => {
      const recalled = await this.recalled(ctx, request, cacheKeyOf(request, provider));
      if (recalled) return { ...recalled, wouldCharge: 0 };
      const [balance, wouldCharge] = [await this.credits.available(ctx), priceOf(request.kind, request.text)];
      if (ctx.mode === 'live') this.providers.requireCallable(provider);
      if (ctx.mode === 'live' && balance < wouldCharge) throw insufficient(wouldCharge, balance);
      const { name, model } = provider;
      const result = notMade(request.kind);
      const analysis = { id: uuidv7(), perspective: request.perspective, provider: name, model, result, analysed_at: currentTime() };
      return { analysis, cached: false, charged: 0, balance, wouldCharge };
    });
  }

  private async runCharged(ctx: Ctx, request: AnalysisRequest, provider: AiProvider, key: string, signal: AbortSignal): Promise<Analysed> {
    return (await this.recalled(ctx, request, key)) ?? this.reserveAndRun(ctx, request, provider, key, signal);
  }

  private async reserveAndRun(
    ctx: Ctx,
    request: AnalysisRequest,
    provider: AiProvider,
    cacheKey: string,
    signal: AbortSignal,
  ): Promise<Analysed> {
    this.providers.requireCallable(provider);
    const giveUpAt = Date.now() + this.providers.timeoutMs + GRACE_MS / 2;
    for (;;) {
      const expiresAt = new Date(Date.now() + this.providers.timeoutMs + GRACE_MS);
      const reserved = await this.credits.reserve(ctx, {
        cacheKey,
        forced: request.force,
        credits: priceOf(request.kind, request.text),
        actor: ctx.actor,
        documentId: request.documentId,
        expiresAt,
      });
      if ('run' in reserved) {
        // a concurrent run may have finished between the cache lookup and the reservation
        const recalled = await this.recalled(ctx, request, cacheKey);
        if (!recalled) return this.runReserved(ctx, request, provider, reserved.run, signal);
        await this.credits.release(ctx, reserved.run, 'A concurrent analysis of the same text finished first.');
        return { ...recalled, balance: await this.credits.available(ctx) };
      }
      // the same analysis is in flight or has just finished: share its result
      if (reserved.rejected === 'running') await sleep(LOOK_AGAIN_MS, undefined, { signal });
      const recalled = await this.recalled(ctx, request, cacheKey);
      if (recalled) return recalled;
      if (reserved.rejected === 'insufficient') throw insufficient(priceOf(request.kind, request.text), reserved.available);
      if (Date.now() > giveUpAt) throw new AiFailure('timeout', 'The same analysis is still running.');
    }
  }

  private async runReserved(ctx: Ctx, request: AnalysisRequest, provider: AiProvider, run: AiRun, signal: AbortSignal): Promise<Analysed> {
    const result = await runAnalysis(request, provider, signal).catch(async (error: unknown) => {
      await this.credits.release(ctx, run, error instanceof AiFailure ? error.message : 'The analysis failed.');
      throw error;
    });
    const captured = await this.credits.capture(ctx, run, (tx) =>
      storeResult(ctx, tx, request, provider, run.cache_key, result, run.credits),
    );
    if (!captured) throw new AiFailure('timeout', 'The analysis took too long.');
    return { analysis: captured.stored, cached: false, charged: run.credits, balance: captured.available, wouldCharge: null };
  }

  /** Test mode uses the built-in provider and charges nothing. */
  private async runFree(ctx: Ctx, request: AnalysisRequest, provider: AiProvider, key: string, signal: AbortSignal): Promise<Analysed> {
    const recalled = await this.recalled(ctx, request, key);
    if (recalled) return { ...recalled, wouldCharge: 0 };
    const result = await runAnalysis(request, provider, signal);
    const analysis = await this.store.write(ctx, (tx) => storeResult(ctx, tx, request, provider, key, result, 0));
    return {
      analysis,
      cached: false,
      charged: 0,
      balance: await this.credits.available(ctx),
      wouldCharge: priceOf(request.kind, request.text),
    };
  }

  /** An earlier result; with `force` only one of the same call, whose response was lost. */
  private async recalled(ctx: Ctx, { force }: AnalysisRequest, key: string): Promise<Analysed | null> {
    const retryKey = retryKeyOf(ctx);
    if (force && retryKey === null) return null;
    const [analysis] = await this.store.list(ctx, AiAnalysis, {
      mode: ctx.mode,
      cache_key: key,
      ...(force ? { retry_key: retryKey } : {}),
    });
    return analysis ? { analysis, cached: true, charged: 0, balance: await this.credits.available(ctx), wouldCharge: null } : null;
  }
}

function runAnalysis(
  { kind, text, perspective, customFocus }: AnalysisRequest,
  provider: AiProvider,
  signal: AbortSignal,
): Promise<SummaryResult | RisksResult> {
  return provider.analyse(kind, text, { perspective, customFocus, signal });
}

/** Without the warning, a reader would take it for an analysis that found nothing. */
function notMade(kind: AnalysisKind): SummaryResult | RisksResult {
  const warnings = ['This is a dry run: the text was not analyzed.'];
  if (kind === 'risks') return ranked([], warnings);
  return { summary: '', key_points: [], parties: [], key_dates: [], amounts: [], warnings };
}

function cacheKeyOf({ kind, text, perspective, customFocus }: AnalysisRequest, { name, model }: AiProvider): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, text, perspective, customFocus, name, model]))
    .digest('hex');
}

function retryKeyOf({ idempotencyKey }: Ctx): string | null {
  return idempotencyKey === null ? null : createHash('sha256').update(idempotencyKey).digest('hex');
}

/** Stores the result and replaces an older one with the same key. */
async function storeResult(
  ctx: Ctx,
  tx: Tx,
  request: AnalysisRequest,
  provider: AiProvider,
  key: string,
  result: SummaryResult | RisksResult,
  credits: number,
): Promise<AiAnalysis> {
  const values = { result, credits, requested_by: ctx.actor, retry_key: request.force ? retryKeyOf(ctx) : null, analysed_at: new Date() };
  // two forced runs may end concurrently; in live mode the account lock serializes them, in test mode only this mutex does
  await tx.advanced.mutex(`ai_analyses ${ctx.organizationId} ${ctx.mode} ${key}`);
  const [older] = await tx.list(AiAnalysis, { mode: ctx.mode, cache_key: key });
  if (older) return tx.update(older, values);
  return tx.insert(AiAnalysis, {
    mode: ctx.mode,
    kind: request.kind,
    cache_key: key,
    perspective: request.perspective,
    provider: provider.name,
    model: provider.model,
    ...values,
  });
}

function playScenario({ scenario }: Ctx): void {
  if (scenario === 'ai_execution_failed') throw failed('The test scenario requested this failure.');
  if (scenario === 'insufficient_credits') throw insufficient(1, 0);
}

async function asFailed<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof AiFailure ? failed(error.message, error) : error;
  }
}

function failed(why: string, cause?: unknown) {
  return DocumentErrors.aiExecutionFailed({ message: `${why} Nothing was charged; retry with the same Idempotency-Key.`, cause });
}

function insufficient(needed: number, available: number) {
  const message = `The analysis costs ${needed} credits and ${available} are left; a member can grant more with grant_org_ai_credits.`;
  return DocumentErrors.aiExecutionFailed({ message, details: [{ param: 'credits', code: 'insufficient_credits', message }] });
}
