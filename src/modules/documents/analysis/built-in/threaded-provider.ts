import { availableParallelism } from 'node:os';
import { compiledWorker, WorkerThreads } from '../../engine/threads/worker-threads.js';
import type { AiProvider, AnalysisKind, AnalysisOptions, RisksResult, SummaryResult } from '../provider/provider.js';
import type { AnalysisInput } from './analysis-worker.js';
import { DeterministicProvider } from './deterministic-provider.js';

/** Of an analysis, on the clock: many times what the longest text takes, because the machine can be busy. */
export const TIMEOUT_MS = 90_000;
/** Texts up to this length are analyzed at once: it takes a few milliseconds. */
const SHORT = 8_000;

/** The built-in provider, with long texts in worker threads: an analysis of the longest takes 200 ms, which would block all requests. */
export class ThreadedProvider implements AiProvider {
  private readonly builtIn = new DeterministicProvider();
  readonly name = this.builtIn.name;
  readonly model = this.builtIn.model;
  private readonly threads = new WorkerThreads({
    what: 'analysis',
    worker: compiledWorker(new URL('./analysis-worker.js', import.meta.url)),
    threads: Math.max(1, availableParallelism() - 1),
    idleMs: 30_000,
    timeoutMs: TIMEOUT_MS,
    maxWaiting: 200,
  });

  analyse(kind: 'summary', text: string, options: AnalysisOptions): Promise<SummaryResult>;
  analyse(kind: 'risks', text: string, options: AnalysisOptions): Promise<RisksResult>;
  analyse(kind: AnalysisKind, text: string, options: AnalysisOptions): Promise<SummaryResult | RisksResult>;
  async analyse(kind: AnalysisKind, text: string, options: AnalysisOptions): Promise<SummaryResult | RisksResult> {
    if (text.length <= SHORT) return this.builtIn.analyse(kind, text, options);
    const { perspective, customFocus } = options;
    return this.threads.run('analyse', { kind, text, perspective, customFocus } satisfies AnalysisInput);
  }

  close(): Promise<void> {
    return this.threads.close();
  }
}
