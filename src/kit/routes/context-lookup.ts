import { Controller, Get, Query, RequestMethod, type ExecutionContext, type Type } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { ModuleRef } from '@nestjs/core';
import { Ctx } from '../callers/ctx.js';
import { Endpoint, type EndpointOptions } from './endpoint.js';
import { Field, field, fieldsOf, pickOf } from '../fields/fields.js';
import { argumentsOf, Execution, handlersOf, joinPaths, pathOf, queryOf, type HandlerOf } from './handlers.js';
import { Projects } from '../services/people.js';
import type { ListBody } from '../fields/list-query.js';
import { pascalCase } from '../values/name-cases.js';

/** Items per section; a module's complete context stays small enough for an agent to read. */
const SECTION_LIMIT = 50;
/** Members that a look-up does not need. */
const BOOKKEEPING = new Set(['object', 'version', 'created_at', 'updated_at']);

interface Section extends HandlerOf {
  name: string;
  endpoint: EndpointOptions & { scope: string; returns: Type };
  query: Type | null;
  fields: readonly string[];
}

export class ContextQuery {
  @Field.uuid({
    description: 'Only what this project uses.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10',
    required: false,
  })
  project_id?: string;
}

class OmittedSectionDto {
  @Field.string({
    description: 'The section.',
    example: 'members',
  })
  section: string;

  @Field.string({
    description: 'The scope that the key lacks.',
    example: 'notes:config:read',
  })
  required_scope: string;
}

/**
 * A controller with one route, `GET /api/v1/ext/<prefix>/context`, operation `get_<name>_context`: the first items of all
 * look-ups of the module at once. It is derived from the module's look-ups, that is from the routes for keys with
 * `lookup` and without parameters in their path. None if there are fewer than two. The route requires the scope of most
 * look-ups; those whose scope the key lacks are left out and named.
 */
export function contextLookup(
  { name, prefix, title }: { name: string; prefix: string; title: string },
  controllers: readonly Type[],
): Type[] {
  const sections = controllers.flatMap(sectionsOf);
  if (sections.length < 2) return [];
  const repeated = sections.find((section, index) => sections.findIndex((other) => other.name === section.name) < index);
  if (repeated) throw new Error(`${name}: two look-ups are named ${repeated.name}; give one of them another "section".`);

  @Controller(`/api/v1/ext/${prefix}/context`)
  class ContextController {
    constructor(
      private readonly modules: ModuleRef,
      private readonly projects: Projects,
    ) {}

    @Get()
    @Endpoint({
      scope: commonest(sections.map(({ endpoint }) => endpoint.scope)),
      operation: `get_${name}_context`,
      summary: `Get the context of ${title}`,
      description: `All look-ups, up to ${SECTION_LIMIT} items each: ${sections.map((section) => section.name).join(', ')}.`,
      returns: responseOf(name, sections),
      lookup: true,
      context: sections.map(({ endpoint }) => endpoint.operation),
    })
    async get(@Ctx() ctx: Ctx, @Query() query: ContextQuery, @Execution() execution: ExecutionContext): Promise<object> {
      // not every section requires that the project exists
      if (query.project_id !== undefined) await this.projects.reach(ctx, query.project_id);
      const body: Record<string, unknown> = { object: `${name}_context` };
      const omitted: OmittedSectionDto[] = [];
      // one after another: a request must not take several connections at once
      for (const section of sections) {
        const { scope } = section.endpoint;
        if (ctx.scopes.has(scope)) body[section.name] = await this.read(section, query, execution);
        else omitted.push({ section: section.name, required_scope: scope });
      }
      return { ...body, omitted };
    }

    private async read(section: Section, { project_id }: ContextQuery, execution: ExecutionContext): Promise<object> {
      const query = section.query && (new section.query() as Record<string, unknown>);
      if (section.query && query) {
        query['limit'] = SECTION_LIMIT;
        const byProject = fieldsOf(section.query).get('project_id');
        if (byProject && project_id !== undefined) query['project_id'] = byProject.list ? [project_id] : project_id;
      }
      const controller = this.modules.get<Record<string, (...args: unknown[]) => Promise<ListBody<object>>>>(section.controller);
      const { data, has_more } = await controller[section.handler](...(await argumentsOf(section, query, execution)));
      return { data: data.map((item) => picked(item, section.fields)), has_more };
    }
  }
  return [ContextController];
}

function sectionsOf(controller: Type): Section[] {
  return handlersOf(controller).flatMap(({ handler, endpoint, method }) => {
    if (!endpoint.lookup || !endpoint.list || !endpoint.returns || endpoint.scope === undefined) return [];
    if (Reflect.getMetadata(METHOD_METADATA, method) !== RequestMethod.GET) return [];
    const path = joinPaths(pathOf(controller), pathOf(method));
    if (path.includes(':')) return [];
    const { section, fields } = endpoint.lookup === true ? {} : endpoint.lookup;
    return [
      {
        name: section ?? (path.split('/').at(-1) as string).replaceAll('-', '_'),
        controller,
        handler,
        endpoint: endpoint as Section['endpoint'],
        query: queryOf({ controller, handler }),
        fields: fields ?? briefFields(endpoint.returns),
      },
    ];
  });
}

function briefFields(dto: Type): string[] {
  return [...fieldsOf(dto)].flatMap(([name, { kind }]) => (BOOKKEEPING.has(name) || kind === 'map' ? [] : [name]));
}

function responseOf(name: string, sections: readonly Section[]): Type {
  const response = named(`${pascalCase(name)}ContextDto`);
  const declare = (property: string, decorator: PropertyDecorator) => decorator(response.prototype as object, property);
  declare('object', Field.constant(`${name}_context`));
  for (const section of sections) {
    const item = named(
      `${pascalCase(name)}Context${pascalCase(section.name)}Dto`,
      pickOf(section.endpoint.returns, section.fields as never[]),
    );
    const part = named(`${pascalCase(name)}Context${pascalCase(section.name)}SectionDto`);
    const data = Field.object(() => item, {
      description: `The first items of ${section.endpoint.operation}.`,
      example: [],
      list: { maxItems: SECTION_LIMIT },
    });
    data(part.prototype as object, 'data');
    Field.boolean({ description: `Whether ${section.endpoint.operation} has more.`, example: false })(part.prototype as object, 'has_more');
    declare(
      section.name,
      field({
        kind: 'object',
        type: () => part,
        description: `As ${section.endpoint.operation} lists them.`,
        example: undefined,
        required: false,
      }),
    );
  }
  declare(
    'omitted',
    Field.object(() => OmittedSectionDto, {
      description: 'Sections that the key may not read.',
      example: [],
      list: { maxItems: sections.length },
    }),
  );
  return response;
}

function picked(item: object, fields: readonly string[]): object {
  return Object.fromEntries(Object.entries(item).filter(([name]) => fields.includes(name)));
}

/** The most frequent value; the first one if several are equally frequent. */
function commonest(values: readonly string[]): string {
  const count = (value: string) => values.filter((other) => other === value).length;
  return values.reduce((best, value) => (count(value) > count(best) ? value : best));
}

/** Swagger names a schema after its class. */
function named(name: string, type: Type = class {}): Type {
  Object.defineProperty(type, 'name', { value: name });
  return type;
}
