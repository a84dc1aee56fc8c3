import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Html } from '../../../kit/index.js';
import type { IconName } from '../../../kit/internal.js';
import { PACKAGE_ROOT, PROJECT_ROOT } from '../../config/project-root.js';
import { renderMarkdown, slugOf, type Links } from './markdown.js';
import { firstSentence, MOST_INDEXED, type DocsPage, type SearchEntry } from './pages.js';
import { namesIn } from './search-index.js';

const GUIDES_GROUP = 'Guides';

interface Guide {
  slug: string;
  picture: IconName;
  title: string;
  /** What readers learn, for lists of pages. */
  summary: string;
  /** What readers call the subject besides. */
  words: string;
  kind?: 'change';
  /** Files of the package, and the sections of each; all of it by default. */
  sources: readonly (string | { file: string; section: string })[];
}

const REQUESTS = 'src/platform/http/README.md';

/** The guides in their order. Each text stands in one file, mostly the README beside the code. */
const GUIDES: readonly Guide[] = [
  {
    slug: 'first-call',
    picture: 'rocket',
    title: 'First call',
    summary: 'From an account to the first answer in three steps.',
    words: 'start begin quickstart tutorial hello get_started curl example',
    sources: ['src/platform/docs/guides/first-call.md'],
  },
  {
    slug: 'authentication',
    picture: 'key-round',
    title: 'Authentication',
    summary: 'Keys, their scopes, rate limits, and how to replace a key.',
    words: 'login token bearer secret credentials api_key rotate throttle quota rate_limit permission scope',
    sources: ['src/platform/keys/README.md'],
  },
  {
    slug: 'projects-and-modes',
    picture: 'layers',
    title: 'Projects and modes',
    summary: 'Where a record belongs: organization, project, test or live.',
    words: 'workspace tenant account sandbox live test separate',
    sources: [{ file: REQUESTS, section: 'Projects and modes' }],
  },
  {
    slug: 'idempotency',
    picture: 'repeat',
    title: 'Idempotency',
    summary: 'Repeat a write safely after a timeout.',
    words: 'retry repeat duplicate twice safe timeout resend if_match etag',
    sources: [{ file: REQUESTS, section: 'Idempotency' }],
  },
  {
    slug: 'lists',
    picture: 'list',
    title: 'Lists and cursors',
    summary: 'Pages, filters, sorting, totals and CSV files.',
    words: 'pagination paging paginate page filter sort export csv total number key sku id',
    sources: [
      { file: REQUESTS, section: 'Lists' },
      { file: REQUESTS, section: 'Numbers in place of ids' },
    ],
  },
  {
    slug: 'dry-runs',
    picture: 'flask-conical',
    title: 'Dry runs and plans',
    summary: 'See what a write would do, and have plans confirmed.',
    words: 'preview simulate try_out rehearse confirm approve ask',
    sources: [
      { file: REQUESTS, section: 'Dry runs' },
      { file: REQUESTS, section: 'Plans' },
    ],
  },
  {
    slug: 'undo',
    picture: 'history',
    title: 'Undo and the bin',
    summary: 'Restore what was deleted, for 30 days.',
    words: 'restore recover undelete trash deleted accident',
    sources: ['src/platform/docs/guides/undo.md'],
  },
  {
    slug: 'errors',
    picture: 'circle-alert',
    title: 'Errors',
    summary: 'The form of an error, and what to do about it.',
    words: 'status code failure problem exception troubleshoot',
    sources: [{ file: REQUESTS, section: 'Errors' }],
  },
  {
    slug: 'webhooks',
    picture: 'webhook',
    title: 'Webhooks',
    summary: 'Be told of changes: deliveries, signatures, retries.',
    words: 'notify notification callback subscribe listen signature verify hmac',
    sources: ['src/platform/webhooks/README.md'],
  },
  {
    slug: 'events',
    picture: 'activity',
    title: 'Events for software',
    summary: 'Read events by sequence or as a stream, with a key.',
    words: 'poll feed stream subscribe listen',
    sources: ['src/platform/developer/README.md'],
  },
  {
    slug: 'mcp',
    picture: 'plug',
    title: 'MCP clients',
    summary: 'Connect Claude, ChatGPT, Cursor, VS Code or Codex.',
    words: 'agent ai assistant llm tool connect claude chatgpt cursor vscode codex',
    sources: ['src/platform/mcp/README.md'],
  },
  {
    slug: 'oauth',
    picture: 'shield-check',
    title: 'OAuth for MCP clients',
    summary: 'How a client that knows only the address gets access.',
    words: 'login log_in sign_in authorize authorise consent token',
    sources: ['src/platform/oauth/README.md'],
  },
  {
    slug: 'typed-client',
    picture: 'braces',
    title: 'The typed client',
    summary: 'TypeScript with the types of your suite, your modules among them.',
    words: 'sdk library typescript javascript npm package',
    sources: ['src/client/README.md'],
  },
  {
    slug: 'test-mode',
    picture: 'flask-conical',
    title: 'Test mode',
    summary: 'Keys that see only test data, and failures on demand.',
    words: 'sandbox demo fake try simulate clock',
    sources: [{ file: REQUESTS, section: 'Test mode' }],
  },
  {
    slug: 'testing',
    picture: 'bot',
    title: 'Testing against the suite',
    summary: 'Test what you build on the suite, locally or in CI.',
    words: 'sandbox fixture integration ci simulate trigger',
    sources: ['src/platform/docs/guides/testing.md'],
  },
  {
    slug: 'organization',
    picture: 'building-2',
    title: 'The organization',
    summary: 'Members, roles, settings, exports and erasure.',
    words: 'user team invite role permission password audit gdpr privacy export erase settings',
    sources: ['src/platform/docs/guides/organization.md'],
  },
  {
    slug: 'going-live',
    picture: 'send',
    title: 'Going live',
    summary: 'What differs in live mode, and a checklist.',
    words: 'production launch deploy checklist',
    sources: ['src/platform/docs/guides/going-live.md'],
  },
  {
    slug: 'versions',
    picture: 'history',
    title: 'Versions and changelog',
    summary: 'What changed, and what an upgrade needs.',
    kind: 'change',
    words: 'changelog deprecate deprecation upgrade release breaking_change news',
    sources: ['CHANGELOG.md', 'UPGRADING.md'],
  },
];

const addressOf = ({ slug }: Guide) => `/docs/guides/${slug}`;

/** The guide of each file or section, to which its links lead. */
const BY_SOURCE = new Map(
  GUIDES.flatMap((guide) =>
    guide.sources.map((source) => [typeof source === 'string' ? source : `${source.file}#${slugOf(source.section)}`, guide] as const),
  ),
);

export interface GuideContext {
  baseUrl: string;
  links: Links;
  /** Replaces `{{name}}` in texts. */
  values: Readonly<Record<string, () => string>>;
}

export function guidePages(context: GuideContext): DocsPage[] {
  return GUIDES.map((guide) =>
    textPage({ path: addressOf(guide), group: GUIDES_GROUP, ...guide }, () => guide.sources.map(sourceOf).join('\n\n'), context, guide),
  );
}

/** The README of a module, of the suite or of the project that runs; null for one in a package. */
export function moduleReadme(name: string): Source | null {
  const file = join('src', 'modules', name.replaceAll('_', '-'), 'README.md');
  const root = [PROJECT_ROOT, PACKAGE_ROOT].find((folder) => existsSync(join(folder, file)));
  return root === undefined ? null : { file, text: bodyOf(readFileSync(join(root, file), 'utf8')) };
}

interface Source {
  file: string;
  text: string;
}

/** Before a heading; in no text. */
const MARK = '\0';

/** A page whose text is Markdown. Its summary is the first sentence unless it has another. */
export function textPage(
  { path, title, group, picture, summary }: Pick<DocsPage, 'path' | 'title' | 'group' | 'picture'> & Partial<Pick<DocsPage, 'summary'>>,
  read: () => string,
  { baseUrl, links, values }: GuideContext,
  { words = '', kind = 'guide' }: { words?: string; kind?: SearchEntry['kind'] } = {},
): DocsPage {
  const text = () =>
    read()
      .replaceAll('http://localhost:3000', baseUrl)
      .replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name]?.() ?? '');
  const rendered = () => renderMarkdown(text(), links);
  return {
    path,
    title,
    group,
    picture,
    hasSamples: false,
    isText: true,
    get summary() {
      if (summary !== undefined) return summary;
      return firstSentence(
        text()
          .replace(/^#.*$/gm, '')
          .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
          .trim(),
      );
    },
    get parts() {
      return rendered().headings.filter(({ level }) => level === 2);
    },
    html: () => new Html(`<div class="prose">${rendered().html}</div>`),
    markdown: text,
    search: () => {
      const { headings } = rendered();
      const sections = headings.filter(({ level }) => level === 2 || level === 3);
      // fenced code is matched as a whole: its lines may begin like headings
      const parts = text()
        .replace(/^```[^]*?^```|^(?=#{2,3} )/gm, (code) => code || MARK)
        .split(MARK);
      return parts.map((part, index) => {
        const section = index === 0 ? undefined : sections[index - 1];
        return {
          title: section?.title ?? title,
          place: section === undefined ? group : title,
          path: section === undefined ? path : `${path}#${section.id}`,
          kind,
          ...(section === undefined ? { words } : {}),
          text: indexed(part.replace(/[`*#|[\]()]/g, ' ')),
        };
      });
    },
  };
}

/** Of what is longer than the search knows, only names. */
function indexed(text: string): string {
  return [text.slice(0, MOST_INDEXED), ...namesIn(text.slice(MOST_INDEXED))].join(' ');
}

function sourceOf(source: Guide['sources'][number], index: number): string {
  const { file, section } = typeof source === 'string' ? { file: source, section: null } : source;
  const text = readFileSync(join(PACKAGE_ROOT, file), 'utf8');
  return withAddresses(section === null ? bodyOf(text) : `${index > 0 ? `## ${section}\n\n` : ''}${sectionOf(text, section, file)}`, file);
}

/** Without the heading of the file, which is that of the page. */
function bodyOf(text: string): string {
  return text.replace(/^# .*\n+/, '');
}

function sectionOf(text: string, title: string, file: string): string {
  const section = text.split(/^(?=## )/m).find((part) => part.startsWith(`## ${title}\n`));
  if (section === undefined) throw new Error(`${file} has no section "${title}".`);
  return section.replace(/^## .*\n+/, '');
}

const LINK = /\[([^\]]+)\]\((?!https?:|\/|#)([^)\s#]+)(#[^)]*)?\)/g;

/** Links to files of guides lead to these; of others, only the words stay. */
export function withAddresses(text: string, file: string): string {
  return text.replace(LINK, (_, words: string, target: string, anchor = '') => {
    const source = relative('/', join('/', dirname(file), target));
    const section = BY_SOURCE.get(source + anchor);
    const guide = section ?? BY_SOURCE.get(source);
    return guide === undefined ? words : `[${words}](${addressOf(guide)}${section ? '' : anchor})`;
  });
}
