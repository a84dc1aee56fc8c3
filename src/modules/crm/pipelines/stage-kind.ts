/** The resource of a pipeline. */
export const PIPELINE_KINDS = ['lead', 'deal'] as const;

export type PipelineKind = (typeof PIPELINE_KINDS)[number];

/** The meaning of a stage; its name is up to the team. For a lead, won means qualified and lost means unqualified. */
export const STAGE_KINDS = ['open', 'won', 'lost'] as const;

export type StageKind = (typeof STAGE_KINDS)[number];

/** The stages of a new project, in board order. */
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

/** `closed_at` after a move: cleared on reopening, otherwise set whenever the kind changes to won or lost. */
export function closedAt(before: { status: StageKind; closed_at: Date | null } | null, kind: StageKind, now: Date): Date | null {
  if (kind === 'open') return null;
  return before?.status === kind && before.closed_at ? before.closed_at : now;
}
