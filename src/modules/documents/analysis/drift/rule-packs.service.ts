import { Injectable } from '@nestjs/common';
import { CommonErrors, Jobs, Store, type Ctx, type Page } from '../../../../kit/index.js';
import { DocumentType } from '../../model/types/document-type.entity.js';
import { CheckRulePack } from './check-rule-pack.job.js';
import { RegulatoryFinding } from './regulatory-finding.entity.js';
import { RegulatoryRulePack } from './regulatory-rule-pack.entity.js';
import { compilePattern, type RegulatoryRule, type RuleCheck } from './rule-checks.js';
import type {
  CreateRulePackDto,
  RegulatoryFindingsQuery,
  RegulatoryRuleDto,
  RuleCheckDto,
  RulePacksQuery,
  UpdateRulePackDto,
} from './rule-packs.dto.js';

/** The organization's rule packs and their findings. A changed pack is checked against the documents immediately, in a job. */
@Injectable()
export class RulePacks {
  constructor(
    private readonly store: Store,
    private readonly jobs: Jobs,
  ) {}

  get(ctx: Ctx, id: string): Promise<RegulatoryRulePack> {
    return this.store.get(ctx, RegulatoryRulePack, id);
  }

  page(ctx: Ctx, query: RulePacksQuery): Promise<Page<RegulatoryRulePack>> {
    return this.store.page(ctx, RegulatoryRulePack, query);
  }

  findings(ctx: Ctx, query: RegulatoryFindingsQuery): Promise<Page<RegulatoryFinding>> {
    return this.store.page(ctx, RegulatoryFinding, query);
  }

  async create(ctx: Ctx, { name, jurisdiction, active, rules }: CreateRulePackDto): Promise<RegulatoryRulePack> {
    const checked = rulesOf(rules);
    await this.requireTypes(ctx, checked);
    return this.store.write(ctx, async (tx) => {
      const pack = await tx.insert(RegulatoryRulePack, { name, jurisdiction, active: active ?? true, rules: checked });
      await this.jobs.add(ctx, tx, CheckRulePack, { pack_id: pack.id }, { key: pack.id });
      return pack;
    });
  }

  async update(ctx: Ctx, id: string, { rules, ...changes }: UpdateRulePackDto): Promise<RegulatoryRulePack> {
    const checked = rules && rulesOf(rules);
    if (checked) await this.requireTypes(ctx, checked);
    return this.store.write(ctx, async (tx) => {
      const before = await tx.target(RegulatoryRulePack, id);
      if (checked) requireRaised(before.rules, checked);
      const pack = await tx.update(before, { ...changes, ...(checked && !same(before.rules, checked) ? { rules: checked } : {}) });
      if (pack !== before) await this.jobs.add(ctx, tx, CheckRulePack, { pack_id: id }, { key: id });
      return pack;
    });
  }

  /** A rule for an unknown type would silently never apply. */
  private async requireTypes(ctx: Ctx, rules: readonly RegulatoryRule[]): Promise<void> {
    const codes = new Set(
      (await this.store.list(ctx, DocumentType, { code: [...new Set(rules.flatMap(({ type_codes }) => type_codes))] })).map(
        ({ code }) => code,
      ),
    );
    for (const [index, { type_codes }] of rules.entries()) {
      const unknown = type_codes.findIndex((code) => !codes.has(code));
      if (unknown >= 0)
        throw CommonErrors.validationFailed({
          param: `rules.${index}.type_codes.${unknown}`,
          message: `rules.${index}.type_codes.${unknown} is not the code of a document type: ${type_codes[unknown]}`,
        });
    }
  }
}

function rulesOf(given: readonly RegulatoryRuleDto[]): RegulatoryRule[] {
  return given.map(({ type_codes, check, rule_id, version, title, effective_on, severity }, index) => {
    if (given.findIndex((other) => other.rule_id === rule_id) !== index)
      throw CommonErrors.validationFailed({
        param: `rules.${index}.rule_id`,
        message: `rules.${index}.rule_id is already used by another rule of the pack`,
      });
    return { rule_id, version, title, effective_on, type_codes: type_codes ?? [], check: checkOf(check, `rules.${index}.check`), severity };
  });
}

function checkOf({ kind, pattern, condition }: RuleCheckDto, at: string): RuleCheck {
  if (kind === 'field_predicate') {
    if (!condition)
      throw CommonErrors.missingFields({ param: `${at}.condition`, message: `${at}.condition is required for field_predicate` });
    return { kind, pattern: null, condition };
  }
  if (pattern === null || pattern === undefined)
    throw CommonErrors.missingFields({ param: `${at}.pattern`, message: `${at}.pattern is required for ${kind}` });
  try {
    compilePattern(pattern);
  } catch (error) {
    throw CommonErrors.validationFailed({
      param: `${at}.pattern`,
      message: `${at}.pattern is not a valid RE2 pattern: ${(error as Error).message}`,
    });
  }
  return { kind, pattern, condition: null };
}

/** Findings refer to the version of a rule, so the content of a version must never change. */
function requireRaised(before: readonly RegulatoryRule[], after: readonly RegulatoryRule[]): void {
  for (const [index, rule] of after.entries()) {
    const known = before.find(({ rule_id }) => rule_id === rule.rule_id);
    if (!known || rule.version > known.version) continue;
    if (rule.version < known.version || !same(rule, known)) {
      throw CommonErrors.validationFailed({
        param: `rules.${index}.version`,
        message: `rules.${index}.version must be greater than ${known.version}, because the rule has changed`,
      });
    }
  }
}

/** Ignores the order of members, which jsonb does not preserve. */
function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
