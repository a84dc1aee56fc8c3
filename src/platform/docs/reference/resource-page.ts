import { html, type Html } from '../../../kit/index.js';
import { fieldLines, fieldList } from './field-list.js';
import type { Reference, ReferenceEvent, ReferenceModule, ReferenceOperation, ReferenceResource } from './model.js';
import { icon, snakeCase } from '../../../kit/internal.js';
import { preformatted } from './code.js';
import { factsOf, sizeOf } from './operation-facts.js';
import { firstSentence, type DocsPage, type Rendering } from './pages.js';
import { LANGUAGES, samplesOf, type Language } from './samples.js';
import { replacementsOf } from './sample-notes.js';
import { sampleRequest } from './sample-request.js';
import type { DescribedSchema, FieldRow } from './schemas.js';
import type { Parameter } from '../../client/api-document.js';

/** The names of the objects in an answer, as their member `object` has them. */
function namesIn(schema: DescribedSchema | null): string[] {
  return [...JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)"/g)].map(([, name]) => snakeCase(name as string));
}

/** A page with the object of a resource and its operations. */
export function resourcePage(reference: Reference, module: ReferenceModule, resource: ReferenceResource, rendering: Rendering): DocsPage {
  const { title, path, object, operations } = resource;
  const summary = operations.map((operation) => operation.title).join('. ');
  const view = new ResourceView(reference, resource, rendering);
  const hasObject = object !== null && reference.objectPaths.get(object) === `${path}#object`;
  return {
    path,
    title,
    group: module.title,
    summary: `${summary}.`,
    hasSamples: operations.some(({ permissions }) => permissions === null),
    parts: [
      ...(hasObject ? [{ id: 'object', title: 'The object' }] : []),
      ...operations.map(({ id, title: part, method }) => ({ id, title: part, method })),
    ],
    html: () => html`${view.intro(module)}${hasObject && view.object(object)}${operations.map((operation) => view.operation(operation))}`,
    markdown: () => [...(hasObject ? [view.objectText(object)] : []), ...operations.map((one) => view.operationText(one))].join('\n\n'),
    search: () => [
      {
        title,
        place: module.title,
        path,
        kind: operations[0].permissions === null ? 'object' : 'member',
        words: object === null ? '' : snakeCase(object),
        text: [
          summary,
          ...new Set(operations.flatMap(({ scope, permissions }) => [scope, permissions ?? []].flat())),
          ...(hasObject ? view.memberNames(object) : []),
        ].join(' '),
      },
      ...operations.map((operation) => ({
        title: operation.title,
        place: `${module.title}, ${title}`,
        path: `${path}#${operation.id}`,
        kind: operation.permissions === null ? ('operation' as const) : ('member' as const),
        verb: operation.method,
        operation: { id: operation.id, module: module.name },
        words: [...new Set(operation.answers.flatMap(({ schema }) => namesIn(schema)))].join(' '),
        text: [operation.id, operation.path, operation.description, view.fieldNames(operation)].join(' '),
      })),
    ],
  };
}

class ResourceView {
  constructor(
    private readonly reference: Reference,
    private readonly resource: ReferenceResource,
    private readonly rendering: Rendering,
  ) {}

  private get events() {
    const { object } = this.resource;
    return object === null ? [] : this.reference.events.filter((event) => event.object === object);
  }

  /** Objects with a section of their own are not repeated. */
  private get linked(): ReadonlySet<string> {
    return new Set(this.reference.objectPaths.keys());
  }

  private schemaOf(name: string): DescribedSchema {
    return { $ref: `#/components/schemas/${name}` };
  }

  /** What the operations have in common, and where they are. */
  intro({ name, title, path }: ReferenceModule): Html {
    const { operations } = this.resource;
    const scopes = new Map(operations.map(({ scope, scopeText }) => [scope, scopeText]));
    const endpoints = operations.map(
      ({ id, method, path: route }) => html`<li><a href="#${id}"><b class="verb ${method.toLowerCase()}">${method}</b>
<span>${breakable(route)}</span></a></li>`,
    );
    const isForMembers = operations.every(({ permissions }) => permissions !== null);
    const document = isForMembers ? '/openapi.org.json' : `/openapi/${name}.json`;
    const scopeList = [...scopes].map(([scope, text]) => html`<div><code>${scope}</code> <span>${text}</span></div>`);
    const access = isForMembers
      ? html`<dt>Sign-in</dt><dd>Signed-in members call these operations; keys cannot. <code>POST /api/v1/org/session</code> sets the cookie
<code>svc_session</code> and answers with the <code>csrf_token</code> that every write sends as <code>X-CSRF-Token</code>.</dd>`
      : html`<dt>Scopes</dt><dd>${scopeList}</dd>`;
    return html`<section class="op" id="endpoints"><div class="text"><dl class="facts">
<dt>Module</dt><dd><a href="${path}">${title}</a>: how its resources fit together</dd>
${access}
${this.events.length > 0 && html`<dt>Events</dt><dd>${this.events.map(eventLink)}</dd>`}
<dt>Limits</dt><dd><a href="/docs/guides/authentication#rate-limits">Requests per minute</a> of the key and the organization; bodies of at
most ${sizeOf(this.reference.bodyLimit)} where an operation does not say otherwise</dd>
<dt>OpenAPI</dt><dd><a href="${document}">${document}</a></dd></dl></div>
<div class="code-side"><div class="panel light-panel"><p class="panel-head"><span>Endpoints</span></p>
<ul class="endpoints">${endpoints}</ul></div></div></section>`;
  }

  object(name: string): Html {
    const { schemas, objectPaths } = this.reference;
    const schema = this.schemaOf(name);
    const linked = new Set([...this.linked].filter((other) => other !== name));
    const rows = schemas.rows(schema, linked, [name]);
    return html`<section class="op" id="object"><div class="text"><h2><a class="anchor" href="#object">The object</a></h2>
${fieldList(rows, { isRequest: false, objectPaths, anchor: 'field' }, this.rendering)}</div>
<div class="code-side"><div class="panel"><p class="panel-head"><span>The ${name} object</span></p>
${json(schemas.example(schema))}</div></div></section>`;
  }

  objectText(name: string): string {
    const { schemas } = this.reference;
    const linked = new Set([...this.linked].filter((other) => other !== name));
    const events = this.events.map((event) => `- \`${event.name}\`: ${firstSentence(event.description)}`).join('\n');
    return [
      `## The object\n\n${fieldLines(schemas.rows(this.schemaOf(name), linked, [name]), false)}`,
      ...(events ? [`Events with this object:\n\n${events}`] : []),
      fenced('json', JSON.stringify(schemas.example(this.schemaOf(name)), null, 2)),
    ].join('\n\n');
  }

  memberNames(name: string): string[] {
    return Object.keys(this.reference.schemas.members(this.schemaOf(name)).properties);
  }

  operation(operation: ReferenceOperation): Html {
    const { id, title, method, path, description, isDeprecated } = operation;
    return html`<section class="op" id="${id}"><div class="text"><h2><a class="anchor" href="#${id}">${title}</a></h2>
<p class="route"><b class="verb ${method.toLowerCase()}">${method}</b> <code>${path}</code></p>
${isDeprecated && html`<p class="note">Deprecated.</p>`}${description !== '' && html`<p>${this.rendering.line(description)}</p>`}
<dl class="facts">${factsOf(operation).map(([label, text]) => html`<dt>${label}</dt><dd>${this.rendering.line(text)}</dd>`)}</dl>
${this.fieldsOf(operation).map(
  ([heading, rows]) =>
    html`<h3>${heading}</h3>${fieldList(rows, { isRequest: true, objectPaths: this.reference.objectPaths }, this.rendering)}`,
)}
<h3>Response</h3>${this.answers(operation)}${this.errors(operation)}</div>
<div class="code-side">${this.samples(operation)}</div></section>`;
  }

  operationText(operation: ReferenceOperation): string {
    const { title, method, path, description, errors } = operation;
    const { schemas, baseUrl } = this.reference;
    const request = sampleRequest(operation, schemas);
    const samples = samplesOf(operation, request, baseUrl);
    const replaced = replacementsOf(operation, request);
    const own = errors.own.map(({ code, status, text }) => `- \`${code}\` (${status}): ${text}`).join('\n');
    return [
      `## ${title}`,
      `\`${method} ${path}\``,
      ...(description === '' ? [] : [description]),
      factsOf(operation)
        .map(([label, text]) => `- ${label}: ${text}`)
        .join('\n'),
      ...this.fieldsOf(operation).map(([heading, rows]) => `### ${heading}\n\n${fieldLines(rows, true)}`),
      `### Response\n\n${operation.answers.map((answer) => this.answerText(answer)).join('\n')}`,
      ...(own ? [`### Errors\n\n${own}`] : []),
      ...Object.entries(samples).map(
        ([language, code]) => `${LANGUAGES[language as Language]}:\n\n${fenced(FENCES[language as Language], code)}`,
      ),
      ...(replaced === null ? [] : [replaced]),
    ].join('\n\n');
  }

  fieldNames(operation: ReferenceOperation): string {
    return this.fieldsOf(operation)
      .flatMap(([, rows]) => rows.map(({ name }) => name))
      .join(' ');
  }

  private fieldsOf({ parameters, bodies }: ReferenceOperation): [string, FieldRow[]][] {
    const { schemas } = this.reference;
    const rowsOf = (some: readonly Parameter[]) =>
      some.map(({ name, schema, required = false, description }) =>
        schemas.row(name, { ...(schema as DescribedSchema), description }, required, new Set()),
      );
    const body = bodies.find(({ type }) => type === 'application/json') ?? bodies[0];
    const others = bodies.filter((one) => one !== body).map(({ type }) => type);
    const heading = body && `Body, ${[body.type, ...others].join(' or ')}`;
    const sections: [string, FieldRow[]][] = [
      ['Path', rowsOf(parameters.path)],
      ['Query', rowsOf(parameters.query)],
      ['Headers', rowsOf(parameters.header)],
      ...(body ? [[heading, schemas.rows(body.schema)] as [string, FieldRow[]]] : []),
    ];
    return sections.filter(([, rows]) => rows.length > 0);
  }

  /** The members of an answer that no page of an object describes: those of the items of a list. */
  private answerRows({ type, schema }: ReferenceOperation['answers'][number]): FieldRow[] {
    if (type !== 'application/json' || !schema || this.isLinked(schema)) return [];
    const { schemas } = this.reference;
    const { schema: found } = schemas.resolve(schema);
    const item = found.items ?? (found.properties?.['has_more'] ? found.properties['data']?.items : undefined);
    if (item && this.isLinked(item)) return [];
    return schemas.rows(item ?? schema, this.linked);
  }

  private answerText(answer: ReferenceOperation['answers'][number]): string {
    const rows = fieldLines(this.answerRows(answer), false, '  ').trimEnd();
    return `- ${answer.status}: ${this.answerWords(answer)}${rows && `\n${rows}`}`;
  }

  private answers({ answers }: ReferenceOperation): Html {
    const { objectPaths } = this.reference;
    return html`${answers.map((answer) => {
      const rows = this.answerRows(answer);
      return html`<p><b>${answer.status}</b> ${this.rendering.line(this.answerWords(answer))}</p>${
        rows.length > 0 && fieldList(rows, { isRequest: false, objectPaths }, this.rendering)
      }`;
    })}`;
  }

  private isLinked(schema: DescribedSchema | null): boolean {
    const { schemas, objectPaths } = this.reference;
    const found = schema && schemas.resolve(schema);
    return found !== null && found.name !== null && objectPaths.has(found.name);
  }

  private answerWords({ type, schema, description }: ReferenceOperation['answers'][number]): string {
    const { schemas, objectPaths } = this.reference;
    if (type === null) return 'Without a body.';
    if (!schema) return `${description}.`;
    if (type !== 'application/json') return `A file, \`${type}\`. ${schema.description ?? ''}`;
    const { name, schema: found } = schemas.resolve(schema);
    const data = found.properties?.['data']?.items;
    const item = data && schemas.resolve(data).name;
    const linked = (object: string) => (objectPaths.has(object) ? `[${object}](${objectPaths.get(object)})` : `\`${object}\``);
    if (found.properties?.['has_more'] && item) return `A page of ${linked(item)} objects, see [Lists](/docs/guides/lists).`;
    return name !== null && objectPaths.has(name) ? `The ${linked(name)} object.` : `${description}.`;
  }

  private errors({ errors: { own, general } }: ReferenceOperation): Html {
    const items = own.map(
      ({ code, status, text, anchor }) =>
        html`<li><p class="field-name"><a href="/docs/errors#${anchor}"><code>${code}</code></a> <span>${status}</span></p>
<p>${this.rendering.line(text)}</p></li>`,
    );
    const codes = general.map(({ code, anchor }) => html`<a href="/docs/errors#${anchor}"><code>${code}</code></a> `);
    return html`<h3>Errors</h3>${items.length > 0 && html`<ul class="fields">${items}</ul>`}
${
  codes.length > 0 &&
  html`<details><summary>${icon('chevron-right')}${codes.length} errors that many operations have</summary>
<p class="values">${codes}</p></details>`
}`;
  }

  private samples(operation: ReferenceOperation): Html {
    const { schemas, baseUrl } = this.reference;
    const { id, method, path, answers, permissions } = operation;
    const request = sampleRequest(operation, schemas);
    const texts = samplesOf(operation, request, baseUrl);
    const replaced = replacementsOf(operation, request);
    const answer = answers.find(({ type }) => type === 'application/json');
    const shown = answer?.schema && schemas.example(answer.schema);
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) => request.path[name]);
    const query = new URLSearchParams(request.query).toString();
    // it sends a key
    const canTry = permissions === null && (request.body === null || request.body.type === 'application/json');
    const body = request.body === null ? '' : JSON.stringify(request.body.value, null, 2);
    return html`<div class="panel request"><p class="panel-head"><span>Request</span>
<button hidden data-script data-copy-of="${id}">Copy</button>${
      canTry &&
      html`<button hidden data-script data-try="${method}" data-path="${address}${query && `?${query}`}"
data-body="${body}">${icon('play')}Try it</button>`
    }</p>
${Object.entries(texts).map(([language, code]) => html`<div class="sample ${language}">${preformatted(code, language)}</div>`)}
${replaced !== null && html`<p class="replace">${this.rendering.line(replaced)}</p>`}</div>
${
  (shown ?? null) !== null &&
  html`<div class="panel"><p class="panel-head"><span>Response <code>${answer!.status}</code></span></p>
${json(shown)}</div>`
}`;
  }
}

function eventLink({ name }: ReferenceEvent): Html {
  return html`<div><a href="/docs/events#${name}"><code>${name}</code></a></div>`;
}

/** A path that may be broken after each part. */
function breakable(path: string): Html {
  return html`${path.split(/(?<=.)(?=\/)/).map((part) => html`${part}<wbr>`)}`;
}

const FENCES: Readonly<Record<Language, string>> = { curl: 'sh', ts: 'ts', py: 'python', mcp: 'json' };

function fenced(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

function json(value: unknown): Html {
  return preformatted(JSON.stringify(value, null, 2), 'json');
}
