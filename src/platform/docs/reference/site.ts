import { html, Html } from '../../../kit/index.js';
import type { ApiDocument } from '../../client/api-document.js';
import type { Catalog } from '../../mcp/catalog/tool-catalog.js';
import type { ModuleRegistry } from '../../registry/module-registry.js';
import type { Route } from '../../registry/route-registry.js';
import { deletionsTable } from './deletions.js';
import { guidePages, type GuideContext } from './guides.js';
import { renderLine, type Links } from './markdown.js';
import { readReference, type Reference } from './model.js';
import { eventsPages, markupPage, modulePage, startPage } from './module-pages.js';
import type { DocsPage, RenderLine, Rendering, SearchEntry } from './pages.js';
import { resourcePage } from './resource-page.js';
import { sampleRequest } from './sample-request.js';
import { samplesOf } from './samples.js';
import type { SampleIds } from './sample-ids.js';

/** A page that is written as markup: of the platform, or in the manifest of a module. */
export interface WrittenPage {
  path: string;
  title: string;
  group: string | null;
  summary: string;
  body: (line: RenderLine) => Html;
  /** Entries of the search beside that of the page. */
  entries?: () => SearchEntry[];
}

export interface SiteSource {
  document: ApiDocument;
  /** Of the routes for signed-in members. */
  memberDocument: ApiDocument;
  modules: Pick<ModuleRegistry, 'manifests' | 'errors'>;
  routes: readonly Route[];
  baseUrl: string;
  bodyLimit: number;
  sampleIds: SampleIds;
  catalog: () => Catalog;
  written: readonly WrittenPage[];
}

/** All pages of the documentation, in the order in which they follow each other. */
export function siteOf({ document, memberDocument, modules, routes, baseUrl, bodyLimit, sampleIds, catalog, written }: SiteSource): {
  pages: DocsPage[];
  reference: Reference;
} {
  const reference = readReference(document, memberDocument, modules, routes, { baseUrl, bodyLimit, sampleIds, catalog });
  const links: Links = { operation: (name) => reference.operationPaths.get(name) };
  const rendering: Rendering = { links, line: (text) => new Html(renderLine(text, links)) };
  const context: GuideContext = {
    baseUrl,
    links,
    values: { first_call: () => firstCall(reference), deletions: () => deletionsTable(modules, routes) },
  };
  const guides = guidePages(context);
  const ofGroup = (name: string | null) =>
    written
      .filter(({ group }) => group === name)
      .map((page) => markupPage({ ...page, group: page.group ?? 'More' }, () => page.body(rendering.line), page.entries));
  const pages = [
    startPage(reference, guides, context),
    ...guides,
    ...reference.modules.flatMap((module) => [
      modulePage(module, context),
      ...ofGroup(module.title),
      ...module.resources.map((resource) => resourcePage(reference, module, resource, rendering)),
      ...module.members.map((resource) => resourcePage({ ...reference, schemas: reference.memberSchemas }, module, resource, rendering)),
    ]),
    ...eventsPages(reference, rendering),
    ...ofGroup(null),
  ];
  return { pages, reference };
}

/** A list of the first module, which needs nothing but a key. */
function firstCall({ modules, schemas, baseUrl }: Reference): string {
  const operations = modules.flatMap(({ resources }) => resources.flatMap((resource) => resource.operations));
  const isPlain = ({ method, parameters }: (typeof operations)[number]) =>
    method === 'GET' && parameters.path.length === 0 && parameters.query.every(({ required }) => !required);
  const operation = operations.find((one) => isPlain(one) && one.methods[0].runtime.list) ?? operations.find(isPlain);
  return operation ? `\`\`\`sh\n${samplesOf(operation, sampleRequest(operation, schemas), baseUrl).curl ?? ''}\n\`\`\`` : '';
}

/** `/llms.txt`: what there is, with the addresses of the pages as Markdown. */
export function llmsText(pages: readonly DocsPage[], baseUrl: string): string {
  const groups = Map.groupBy(
    pages.filter(({ group }) => group !== ''),
    ({ group }) => group,
  );
  const sections = [...groups].map(
    ([group, own]) =>
      `## ${group}\n\n${own.map(({ title, path, summary }) => `- [${title}](${baseUrl}${path}.md): ${summary}`).join('\n')}`,
  );
  const lead = '> Business software driven by programs and AI agents: REST with API keys, and the same operations as MCP tools.';
  return [
    `# Work suite`,
    lead,
    `Everything in one file: ${baseUrl}/llms-full.txt. OpenAPI: ${baseUrl}/openapi.json.`,
    ...sections,
    '',
  ].join('\n\n');
}

/** What a browser gets for an address without a page. */
export const MISSING: DocsPage = {
  path: '',
  title: 'There is no such page',
  group: '',
  summary: '',
  hasSamples: false,
  parts: [],
  html: () => html`<div class="prose"><p>It may have moved: search for it, or begin at the <a href="/docs">start</a>.</p></div>`,
  markdown: () => '',
  search: () => [],
};

/** A page as Markdown. */
export function markdownPage({ title, markdown }: DocsPage): string {
  return `# ${title}\n\n${markdown()}\n`;
}
