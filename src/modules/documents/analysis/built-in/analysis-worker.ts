// Runs in the worker threads of ThreadedProvider.
import type { AnalysisKind, RisksResult, SummaryResult } from '../provider/provider.js';
import { DeterministicProvider } from './deterministic-provider.js';

export interface AnalysisInput {
  kind: AnalysisKind;
  text: string;
  perspective: string;
  customFocus: string | null;
}

const provider = new DeterministicProvider();

export function analyse({ kind, text, perspective, customFocus }: AnalysisInput): Promise<SummaryResult | RisksResult> {
  return provider.analyse(kind, text, { perspective, customFocus, signal: new AbortController().signal });
}
