import { Injectable } from '@nestjs/common';
import { CommonErrors, EventCatalog, Projects, Store, type Ctx, type ErrorDetail, type Page, definedOf } from '../../../../kit/index.js';
import { DocumentType } from '../../model/types/document-type.entity.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import type { TypeDefinition } from '../../model/types/type-definition.js';
import { GenerationTrigger, type TriggerCondition } from './generation-trigger.entity.js';
import { PATH } from '../mapping/event-root.js';
import { valueTypeAt } from '../mapping/event-paths.js';
import { conditionProblem, fieldType, mappingProblem, type ValueType } from '../mapping/value-types.js';
import { problemsOfSome } from '../../model/core/data-values.js';
import { operandProblem } from '../../model/rules/field-condition.js';
import { recipientProblem } from '../../model/rules/sending.js';
import { literalsOf, sourceMapProblems, sourceOf, type SourceMap } from '../mapping/source-map.js';
import { pathsIn, titleProblem } from '../mapping/title-template.js';
import type { CreateTriggerDto, TriggersQuery, UpdateTriggerDto } from './triggers.dto.js';

type Settings = Pick<
  GenerationTrigger,
  'event_type' | 'document_type_id' | 'project_id' | 'title_template' | 'source_map' | 'conditions' | 'sending' | 'auto_finalize'
>;

/** Manages generation triggers. */
@Injectable()
export class TriggersService {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly versions: TypeVersions,
    private readonly catalog: EventCatalog,
  ) {}

  get(ctx: Ctx, id: string): Promise<GenerationTrigger> {
    return this.store.get(ctx, GenerationTrigger, id);
  }

  page(ctx: Ctx, query: TriggersQuery): Promise<Page<GenerationTrigger>> {
    return this.store.page(ctx, GenerationTrigger, query);
  }

  async create(
    ctx: Ctx,
    {
      project_id = null,
      source_map = {},
      conditions = [],
      sending = null,
      auto_submit = false,
      auto_finalize = false,
      active = true,
      ...body
    }: CreateTriggerDto,
  ): Promise<GenerationTrigger> {
    const values = { ...body, project_id, source_map: withoutNulls(source_map), conditions, sending, auto_submit, auto_finalize, active };
    await this.check(ctx, values, true);
    return this.store.write(ctx, (tx) => tx.insert(GenerationTrigger, values));
  }

  update(ctx: Ctx, id: string, { source_map, project_id, ...body }: UpdateTriggerDto): Promise<GenerationTrigger> {
    return this.store.write(ctx, async (tx) => {
      const trigger = await tx.target(GenerationTrigger, id);
      if (project_id !== undefined && project_id !== trigger.project_id)
        throw CommonErrors.validationFailed({
          param: 'project_id',
          message: 'project_id of a trigger cannot be changed; create another trigger',
        });
      const changes = {
        ...body,
        ...(source_map === undefined ? {} : { source_map: withoutNulls({ ...trigger.source_map, ...source_map }) }),
      };
      // a trigger with a path that was never checked can still be deactivated
      const readsEvents = [body.event_type, body.document_type_id, body.title_template, body.conditions, source_map].some(
        (part) => part !== undefined,
      );
      await this.check(ctx, { ...trigger, ...definedOf(changes) }, readsEvents);
      return tx.update(trigger, changes);
    });
  }

  delete(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => tx.delete(await tx.target(GenerationTrigger, id)));
  }

  private async check(ctx: Ctx, settings: Settings, readsEvents: boolean): Promise<void> {
    const { document_type_id, project_id, title_template, source_map, auto_finalize } = settings;
    if (project_id !== null) await this.projects.resolve(ctx, project_id);
    const type = await this.store.find(ctx, DocumentType, document_type_id);
    if (!type) throw CommonErrors.validationFailed({ param: 'document_type_id', message: 'document_type_id does not exist' });
    if (type.project_id !== null && type.project_id !== project_id)
      throw CommonErrors.validationFailed({
        param: 'document_type_id',
        message: 'document_type_id is a type of one project; the trigger must belong to that project too',
      });
    const definition = await this.definitionOf(ctx, type);
    const details: ErrorDetail[] = [];
    const title = titleProblem(title_template);
    if (title) details.push({ param: 'title_template', code: 'invalid_value', message: `title_template ${title}` });
    const fields = Object.keys(definition.field_schema.properties);
    details.push(...sourceMapProblems(source_map, 'source_map', (name) => fields.includes(name), fields));
    details.push(...conditionProblems(settings.conditions));
    const recipient = settings.sending && recipientProblem(settings.sending);
    if (recipient) details.push(recipient);
    if (readsEvents && details.length === 0) details.push(...this.problemsOf(settings, definition));
    if (auto_finalize && definition.requires_approval)
      details.push({ param: 'auto_finalize', code: 'invalid_value', message: 'auto_finalize requires a type without approval' });
    if (details.length > 0)
      throw CommonErrors.validationFailed({ param: details[0].param, message: details[0].message, allowed: details[0].allowed, details });
  }

  /**
   * Faults of a trigger that can never work: paths that no event of the type has, values that can never meet a condition or fill a field.
   */
  private problemsOf({ event_type, title_template, source_map, conditions }: Settings, { field_schema }: TypeDefinition): ErrorDetail[] {
    const event = this.catalog.find(event_type);
    const problems: ErrorDetail[] = problemsOfSome(field_schema, literalsOf(source_map)).map(({ param, message, ...rest }) => ({
      ...rest,
      param: inSourceMap(param),
      message: inSourceMap(message),
    }));
    /** Events that clients send themselves have no schema. */
    const read = (param: string, path: string, check: (valueType: ValueType) => ErrorDetail | null) => {
      if (!event) return;
      const valueType = valueTypeAt(event, path);
      const problem =
        'message' in valueType ? invalid(param, `names ${path}: ${valueType.message} ${event_type}`, valueType.allowed) : check(valueType);
      if (problem) problems.push(problem);
    };
    for (const path of pathsIn(title_template))
      read('title_template', path, ({ type }) =>
        type === 'array' || type === 'object' ? invalid('title_template', `names ${path}, which is not a single value`) : null,
      );
    for (const [name, source] of Object.entries(source_map)) {
      const { path, columns = {} } = sourceOf(source);
      if (path === undefined) continue;
      const param = `source_map.${name}`;
      const property = field_schema.properties[name];
      const cells = property.type === 'array' ? property.items.properties : {};
      for (const [column, inEntry] of Object.entries(columns)) {
        if (!Object.hasOwn(cells, column))
          problems.push(invalid(param, `has the column ${column}, which the field lacks`, Object.keys(cells)));
        else
          read(param, `${path}.0.${inEntry}`, (valueType) => {
            const problem = mappingProblem(inEntry, valueType, fieldType(cells[column]));
            return problem === null ? null : invalid(param, problem);
          });
      }
      read(param, path, (valueType) => {
        const problem = mappingProblem(source, valueType, fieldType(property));
        return problem === null ? null : invalid(param, problem);
      });
    }
    for (const [index, condition] of conditions.entries())
      read(`conditions.${index}.path`, condition.path, (valueType) => {
        const problem = conditionProblem(condition, valueType);
        return problem && invalid(`conditions.${index}.${problem.member}`, problem.message, problem.allowed);
      });
    return problems;
  }

  /** The definition that new documents use; the draft if the type was never published. */
  private async definitionOf(ctx: Ctx, { id, published_version, draft }: DocumentType): Promise<TypeDefinition> {
    return published_version === null ? draft : (await this.versions.get(ctx, id, published_version)).definition;
  }
}

function conditionProblems(conditions: readonly TriggerCondition[]): ErrorDetail[] {
  return conditions.flatMap((condition, index): ErrorDetail[] => {
    const at = `conditions.${index}`;
    const path = PATH.test(condition.path) ? null : 'must be a path such as deal.amount';
    const operand = operandProblem(condition);
    if (path) return [{ param: `${at}.path`, code: 'invalid_value', message: `${at}.path ${path}` }];
    return operand ? [{ param: `${at}.operand`, code: 'invalid_value', message: `${at}.operand ${operand}` }] : [];
  });
}

function invalid(param: string, message: string, allowed?: readonly string[]): ErrorDetail {
  return { param, code: 'invalid_value', message: `${param} ${message}`, allowed };
}

function inSourceMap(text: string): string {
  return text.replace(/^data_values/, 'source_map');
}

function withoutNulls(map: SourceMap): SourceMap {
  return Object.fromEntries(Object.entries(map).filter(([, source]) => source !== null));
}
