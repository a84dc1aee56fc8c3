import { html, Html } from '../../../kit/index.js';
import { fieldLines, fieldList } from './field-list.js';
import { moduleReadme, textPage, withAddresses, type GuideContext } from './guides.js';
import type { Reference, ReferenceEvent, ReferenceModule } from './model.js';
import { icon, type IconName } from '../../../kit/internal.js';
import { codePanel, preformatted } from './code.js';
import { firstSentence, MOST_INDEXED, type DocsPage, type Rendering, type SearchEntry } from './pages.js';

/** The page of a module: what it is for, its resources, and the order of calls. */
export function modulePage({ title, name, path, guide, resources, members }: ReferenceModule, context: GuideContext): DocsPage {
  const readme = moduleReadme(name);
  const listed = [...resources, ...members].map(({ title: resource, path: at, operations }) => {
    const links = operations.map((operation) => `[${operation.title}](${at}#${operation.id})`);
    return `| **[${resource}](${at})** | ${links.join(', ')} |`;
  });
  const text = () =>
    [
      ...(readme ? [withAddresses(readme.text, readme.file)] : []),
      `## Resources\n\n| Resource | Operations |\n| --- | --- |\n${listed.join('\n')}`,
      `## How to use it\n\nAgents read the same text with the tool \`get_guide\`.\n\n${guide}`,
    ].join('\n\n');
  return textPage({ path, title, group: title }, text, context);
}

/** All events with their schema and an example. */
export function eventsPages(reference: Reference, { line, links }: Rendering): DocsPage[] {
  const { events, schemas, modules, objectPaths } = reference;
  const causes = causesOf(reference);
  const causeOf = ({ name }: ReferenceEvent) => causes.get(name) ?? '';
  const groups = Map.groupBy(events, ({ module }) => module);
  const titleOf = (name: string) => modules.find((module) => module.name === name)?.title ?? 'Developer area';
  const pathOf = (name: string) => `/docs/events/${name.replaceAll('_', '-')}`;
  const linked = new Set(objectPaths.keys());
  const dataRows = (event: ReferenceEvent) => schemas.rows(schemas.members(event.schema).properties['data'], linked);
  const envelope = () => (events.length > 0 ? schemas.rows(events[0].schema, linked).filter(({ name }) => name !== 'data') : []);
  const group = 'Events';
  const index: DocsPage = {
    path: '/docs/events',
    title: 'Event catalogue',
    group,
    summary: 'Every event that webhooks send, with its schema and an example.',
    hasSamples: false,
    parts: [],
    html: () => {
      const lists = [...groups].map(
        ([name, own]) =>
          html`<h2><a href="${pathOf(name)}">${titleOf(name)}</a></h2><ul class="fields">${own.map(
            (event) =>
              html`<li id="${event.name}"><p class="field-name"><a href="${pathOf(name)}#${event.name}"><code>${event.name}</code></a></p>
<p>${line(event.description)}</p></li>`,
          )}</ul>`,
      );
      return html`<div class="prose"><p>Webhooks send these events. <a href="/docs/guides/webhooks">Webhooks</a> explains deliveries and
signatures, <a href="/docs/webhooks">Receiving webhooks</a> has complete receivers.</p>${lists}
<h2 id="envelope">The members of every event</h2><p>Beside these, <code>data</code> is described with each event.</p>
${fieldList(envelope(), { isRequest: false, objectPaths }, { line, links })}</div>`;
    },
    markdown: () =>
      [...groups]
        .map(([name, own]) => `## ${titleOf(name)}\n\n${own.map((event) => `- \`${event.name}\`: ${event.description}`).join('\n')}`)
        .concat(`## The members of every event\n\n${fieldLines(envelope(), false)}`)
        .join('\n\n'),
    search: () => [
      { title: 'Event catalogue', place: group, path: '/docs/events', kind: 'guide', text: 'webhooks events' },
      {
        title: 'The members of every event',
        place: group,
        path: '/docs/events#envelope',
        kind: 'guide',
        text: fieldLines(envelope(), false),
      },
    ],
  };
  const pages = [...groups].map(([name, own]): DocsPage => {
    const title = `${titleOf(name)} events`;
    return {
      path: pathOf(name),
      title,
      group,
      summary: own.map((event) => event.name).join(', '),
      hasSamples: false,
      parts: own.map((event) => ({ id: event.name, title: event.name })),
      html: () =>
        html`${own.map(
          (event) => html`<section class="op" id="${event.name}"><div class="text">
<h2><a class="anchor" href="#${event.name}">${event.name}</a></h2>
<p>${line(event.description)}</p>${causeOf(event) !== '' && html`<p>${line(causeOf(event))}</p>`}
<h3>Members of <code>data</code></h3>
${fieldList(dataRows(event), { isRequest: false, objectPaths }, { line, links })}</div>
<div class="code-side"><div class="panel"><p class="panel-head">Example</p>${preformatted(
            JSON.stringify(schemas.example(event.schema), null, 2),
            'json',
          )}</div></div></section>`,
        )}`,
      markdown: () =>
        own
          .map(
            (event) =>
              `## ${event.name}\n\n${`${event.description}\n\n${causeOf(event)}`.trim()}\n\n${fieldLines(dataRows(event), false)}\n` +
              `\`\`\`json\n${JSON.stringify(schemas.example(event.schema), null, 2)}\n\`\`\``,
          )
          .join('\n\n'),
      search: () =>
        own.map((event) => ({
          title: event.name,
          place: title,
          path: `${pathOf(name)}#${event.name}`,
          kind: 'event' as const,
          text: event.description,
        })),
    };
  });
  return [index, ...pages];
}

/** By event, a line with the operations that can emit it. */
function causesOf({ modules, operationPaths }: Reference): ReadonlyMap<string, string> {
  const operations = modules.flatMap(({ resources }) => resources.flatMap((resource) => resource.operations));
  const pairs = operations.flatMap(({ id, emits }) => emits.map((event) => ({ event, link: `[${id}](${operationPaths.get(id)})` })));
  const groups = Map.groupBy(pairs, ({ event }) => event);
  return new Map(Array.from(groups, ([event, own]) => [event, `Emitted by ${own.map(({ link }) => link).join(', ')}.`]));
}

/** A page that is written as markup. Its sections are entries of the search, unless it has entries of its own. */
export function markupPage(
  page: Pick<DocsPage, 'path' | 'title' | 'group' | 'summary'>,
  body: () => Html,
  entries: (() => SearchEntry[]) | undefined = undefined,
): DocsPage {
  const markdown = () => markdownOf(body().markup);
  const { title: place, path, group } = page;
  const entryOf = (part: string): SearchEntry => {
    const [, id, heading] = SECTION.exec(part) ?? [];
    const of = id === undefined ? { title: place, place: group, path } : { title: plainText(heading), place, path: `${path}#${id}` };
    return { ...of, kind: 'guide', text: markdownOf(part).slice(0, MOST_INDEXED) };
  };
  return {
    ...page,
    hasSamples: false,
    isText: true,
    get parts() {
      return [...body().markup.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g)].map(([, id, title]) => ({ id, title: plainText(title) }));
    },
    html: () => html`<div class="prose">${scrollable(body())}</div>`,
    markdown,
    search: () => {
      const parts = body().markup.split(/(?=<h[23] id=")/);
      return entries ? [entryOf(parts[0]), ...entries()] : parts.map(entryOf);
    },
  };
}

const SECTION = /^<h[23] id="([^"]+)">(.*?)<\/h[23]>/;

/** What is wider than the page scrolls, so it must be reachable by keyboard. */
function scrollable({ markup }: Html): Html {
  return new Html(
    markup
      .replace(
        /<pre[^>]*><code(?: class="(\w+)")?>([\s\S]*?)<\/code><\/pre>/g,
        (_, language: string | undefined, code: string) => codePanel(plainText(code), language).markup,
      )
      .replaceAll('<table>', '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>')
      .replaceAll('</table>', '</table></div>'),
  );
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function plainText(markup: string): string {
  return markup.replace(/<[^>]+>/g, '').replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name]);
}

/** The Markdown of our own markup, which has few kinds of elements. */
function markdownOf(markup: string): string {
  const code: string[] = [];
  return plainText(
    markup
      .replace(/<pre[^>]*>([\s\S]*?)<\/pre>/g, (_, text: string) => `\n\n\u0000${code.push(plainText(text)) - 1}\u0000\n\n`)
      .replace(/\s*\n\s*/g, ' ')
      .replace(/<code[^>]*>(.*?)<\/code>/g, '`$1`')
      .replace(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g, '[$2]($1)')
      .replace(/<h([2-4])[^>]*>(.*?)<\/h\1>/g, (_, level: string, text: string) => `\n\n${'#'.repeat(Number(level))} ${text}\n\n`)
      .replace(/<table[^>]*>(.*?)<\/table>/g, (_, rows: string) => `\n\n${markdownTable(rows)}\n\n`)
      .replace(/<li[^>]*>/g, '\n- ')
      .replace(/<\/?(p|ul|ol|div|dl|dt|dd|section)\b[^>]*>/g, '\n\n'),
  )
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\u0000(\d+)\u0000/g, (_, index: string) => `\`\`\`\n${code[Number(index)]}\n\`\`\``)
    .trim();
}

/** Markdown has no table without a head. */
function markdownTable(markup: string): string {
  const rows = [...markup.matchAll(/<tr[^>]*>(.*?)<\/tr>/g)].map(([, row]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell]) => cell.trim().replaceAll('|', '\\|')),
  );
  const head = markup.includes('<thead') ? rows.shift()! : (rows[0] ?? []).map(() => '');
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const MOST_NAMED = 4;
const SEVERAL = 3;

/** The first of some names, and how many there are beside them. */
function few(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return more > 1 ? `${names.slice(0, MOST_NAMED).join(', ')} and ${more} more` : names.join(', ');
}

/** The start page: guides first, then the modules. */
export function startPage(reference: Reference, guides: readonly DocsPage[], context: GuideContext): DocsPage {
  const text = () =>
    [
      'Business software driven by programs and AI agents. Every call carries an API key; operations are also MCP tools.',
      `Base address: \`${reference.baseUrl}\``,
      `## Start here\n\n${guides
        .slice(0, 3)
        .map(({ title, path, summary }) => `- [${title}](${path}): ${summary}`)
        .join('\n')}`,
      `## Modules\n\n${reference.modules
        .map(
          ({ title, path, guide, resources }) =>
            `- [${title}](${path}): ${guide.split('\n\n', 1)[0].replace(/\s+/g, ' ')} ${resources.length} resources.`,
        )
        .join('\n')}`,
      '## More\n\n- [Event catalogue](/docs/events)\n- [All errors](/docs/errors)\n- [Swagger UI](/docs/swagger), also for members',
    ].join('\n\n');
  const page = textPage({ path: '/docs', title: 'Documentation', group: '' }, text, context);
  const card = (path: string, title: string, summary: string, picture?: IconName) =>
    html`<li><a href="${path}">${picture !== undefined && icon(picture)}<b>${title}</b></a><p>${summary}</p></li>`;
  // such as projects, which tell nothing about a module
  const isCommon = (name: string) =>
    reference.modules.filter(({ resources }) => resources.some(({ title }) => title === name)).length >= SEVERAL;
  const modules = () =>
    reference.modules.map(
      ({ title, path, guide, resources }) =>
        html`<li><a href="${path}"><b>${title}</b></a><p>${firstSentence(guide).replace(/[:;] [^]*/, '.')}</p>
<p class="few">${few(resources.map((resource) => resource.title).filter((name) => !isCommon(name)))}</p></li>`,
    );
  const starts = () => guides.map(({ title, path, summary, picture }) => card(path, title, summary, picture));
  const [curl] = /curl [\s\S]*?(?=\n```)/.exec(context.values['first_call']?.() ?? '') ?? [''];
  return {
    ...page,
    summary: 'Guides and reference of the API.',
    parts: [],
    isText: false,
    isStart: true,
    html: () => html`<div class="hero"><div><h1>Work suite documentation</h1>
<p class="lead">Business software driven by programs and AI agents. Every call carries an API key, and operations are also MCP
tools with the same scopes and the same errors.</p>
<p class="row"><a class="button" href="${guides[0].path}">Make the first call</a>
<a class="button quiet" href="/console/keys/new">Get a test key</a></p></div>
<div class="panel"><p class="panel-head"><span>${reference.baseUrl}</span><button hidden data-script data-copy-of="code">Copy</button></p>
${preformatted(curl, 'sh')}</div></div>
<h2 id="modules">API reference</h2><ul class="cards">${modules()}</ul>
<h2 id="start">Guides</h2><ul class="cards">${starts()}</ul>
<h2 id="more">More</h2><ul class="cards">
${card('/docs/events', 'Event catalogue', 'What webhooks send, with the schema and an example of each event.', 'radio')}
${card('/docs/errors', 'All errors', 'Each code, and what to do about it.', 'circle-alert')}
${card('/docs/swagger', 'Swagger UI', 'The OpenAPI documents, with the routes for members and the public.', 'braces')}
${card('/llms.txt', 'For agents', 'Every page as Markdown, listed in llms.txt; llms-full.txt has all of it.', 'bot')}</ul>`,
    markdown: text,
    search: () => [],
  };
}
