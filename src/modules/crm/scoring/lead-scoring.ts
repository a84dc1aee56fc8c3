import type { Lead } from '../leads/lead.entity.js';

/** The fields that the score depends on. */
export type ScoredLead = Pick<
  Lead,
  | 'email'
  | 'phone_normalized'
  | 'company_name'
  | 'job_title'
  | 'source_id'
  | 'utm_campaign'
  | 'submission_count'
  | 'status_kind'
  | 'consent'
  | 'custom_fields'
>;

/** Providers of private mailboxes; other domains suggest a company. */
const PRIVATE_MAIL = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com live.com yahoo.com icloud.com aol.com gmx.de gmx.net
  web.de proton.me protonmail.com mail.ru qq.com`.split(/\s+/),
);
const DECISION_MAKER =
  /\b(owner|founder|chief|c[efit]o|president|director|head|vp|manager|lead|inhaber|leiter\w*|gesch[aä]ftsf[uü]hr\w*)\b/i;

const RULES: readonly [points: number, holds: (lead: ScoredLead) => boolean][] = [
  [15, ({ email }) => email !== null && !PRIVATE_MAIL.has(email.split('@').at(-1)?.toLowerCase() ?? '')],
  [5, ({ email }) => email !== null],
  [15, ({ phone_normalized }) => phone_normalized?.startsWith('+') ?? false],
  [10, ({ company_name }) => company_name !== null],
  [5, ({ job_title }) => job_title !== null],
  [15, ({ job_title }) => DECISION_MAKER.test(job_title ?? '')],
  [5, ({ source_id }) => source_id !== null],
  [5, ({ utm_campaign }) => utm_campaign !== null],
  [10, ({ consent }) => Object.values(consent).some(({ granted }) => granted === true)],
  [5, ({ submission_count }) => submission_count >= 2],
  [5, ({ submission_count }) => submission_count >= 4],
  [5, ({ custom_fields }) => Object.keys(custom_fields).length > 0],
];

/** How promising a lead is, 0 to 100. Depends only on the lead's own fields, so the same lead always has the same score. */
export function scoreOf(lead: ScoredLead): number {
  if (lead.status_kind === 'lost') return 0;
  return RULES.reduce((score, [points, holds]) => score + (holds(lead) ? points : 0), 0);
}
