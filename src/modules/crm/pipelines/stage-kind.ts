/** What a pipeline is for. */
export const PIPELINE_KINDS = ['lead', 'deal'] as const;

export type PipelineKind = (typeof PIPELINE_KINDS)[number];

/** What a stage means to the rules; its name is the team's own. For a lead, won means qualified and lost unqualified. */
export const STAGE_KINDS = ['open', 'won', 'lost'] as const;

export type StageKind = (typeof STAGE_KINDS)[number];

/** What a new project starts with, in the order of its boards. */
export const DEFAULT_STAGES: Readonly<Record<PipelineKind, readonly { name: string; kind: StageKind }[]>> = {
  lead: [
    { name: 'New', kind: 'open' },
    { name: 'Contacted', kind: 'open' },
    { name: 'Qualified', kind: 'won' },
    { name: 'Unqualified', kind: 'lost' },
  ],
  deal: [
    { name: 'Qualification', kind: 'open' },
    { name: 'Proposal', kind: 'open' },
    { name: 'Negotiation', kind: 'open' },
    { name: 'Won', kind: 'won' },
    { name: 'Lost', kind: 'lost' },
  ],
};

export const DEFAULT_SOURCES = ['Website', 'Referral', 'Event', 'Advertisement'] as const;

/** `closed_at` after a move: set on entering a closed kind, set anew when won becomes lost or the reverse, else kept; cleared on reopening. */
export function closedAt(before: { status: StageKind; closed_at: Date | null } | null, kind: StageKind, now: Date): Date | null {
  if (kind === 'open') return null;
  return before?.status === kind && before.closed_at ? before.closed_at : now;
}
