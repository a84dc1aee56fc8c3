import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { CommonErrors, Contexts, EventCatalog, invalid, isUuid, Projects, sql, Store, type Ctx, type Page } from '../../../../kit/index.js';
import { AuditEntry } from '../../model/records/audit-entry.entity.js';
import { GenerationResultDto, type GenerateDto, type GenerationDto, type GenerationRunsQuery } from './generate.dto.js';
import { GenerationRuns, isMet, type GenerationEvent } from './generation-runs.js';
import { GenerationTrigger } from './generation-trigger.entity.js';

/** The scope that corresponds to the permission that the route requires of members. */
const SCOPE_OF_MEMBERS = 'papers:document:write';

/** Runs triggers on request of an API client or a member. */
@Injectable()
export class Generate {
  constructor(
    private readonly store: Store,
    private readonly contexts: Contexts,
    private readonly projects: Projects,
    private readonly runs: GenerationRuns,
    private readonly catalog: EventCatalog,
  ) {}

  async run(ctx: Ctx, { event_type, payload, project_id }: GenerateDto): Promise<GenerationDto> {
    this.requireOwnEvent(ctx, event_type);
    const projectId = await this.projectOf(ctx, project_id, payload);
    const event: GenerationEvent = { id: uuidv7(), type: event_type, data: payload };
    return this.store.write(ctx, async (tx) => {
      const triggers = (await tx.list(GenerationTrigger, { event_type, active: true })).filter(
        (trigger) => (projectId === null || trigger.project_id === null || trigger.project_id === projectId) && isMet(trigger, event),
      );
      const suite = this.contexts.systemWithin(ctx);
      const results: GenerationResultDto[] = [];
      for (const trigger of triggers) results.push(GenerationResultDto.from(await this.runs.run(suite, tx, trigger, event, projectId)));
      return { object: 'generation', event_id: event.id, event_type, matched: triggers.length, results };
    });
  }

  page(ctx: Ctx, query: GenerationRunsQuery): Promise<Page<AuditEntry>> {
    return this.store.page(ctx, AuditEntry, query, sql`t.action = 'papers.generation'`);
  }

  /** An event of the suite states that something happened in it; only callers who could have caused that may send it. */
  private requireOwnEvent({ scopes }: Ctx, type: string): void {
    const event = this.catalog.find(type);
    if (!event) return;
    const { scope } = event;
    const isMember = scopes.size === 0;
    if (scope !== null && (isMember ? scope === SCOPE_OF_MEMBERS : scopes.has(scope))) return;
    if (isMember)
      throw CommonErrors.permissionDenied({
        param: 'event_type',
        message: `${type} is an event of the suite that members cannot send; use an event type of your own.`,
      });
    const who = scope === null ? 'no caller can send it' : `only a caller with ${scope} can send it`;
    throw CommonErrors.insufficientScope({
      param: 'event_type',
      message: `${type} is an event of the suite, and ${who}; use an event type of your own.`,
      ...(scope !== null && { extra: { required_scope: scope } }),
    });
  }

  /** Null if the event has no project; each trigger then runs in its own project or in the default one. */
  private async projectOf(ctx: Ctx, named: string | undefined, { project_id }: Record<string, unknown>): Promise<string | null> {
    if (ctx.projectId !== null || named !== undefined) return (await this.projects.resolve(ctx, named)).id;
    if (project_id === undefined || project_id === null) return null;
    if (!isUuid(project_id))
      throw invalid('payload.project_id', 'must be the id of a project; if it means something else, send project_id next to the payload');
    return (await this.projects.resolve(ctx, project_id.toLowerCase())).id;
  }
}
