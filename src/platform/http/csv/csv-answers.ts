import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { FileResponse, type CustomFieldCatalog, type ListBody } from '../../../kit/index.js';
import { csvLines } from '../../../kit/internal.js';
import type { Request } from '../../request/request-state.js';
import { callForPage, type Routing } from '../in-process/inner-call.js';
import { cellsOf, columnsOf, customFieldResources, type Column } from './csv-columns.js';
import { MOST_AT_ONCE, MOST_ROWS, tooManyFiles, tooManyRows } from './csv-request.js';

type Item = Readonly<Record<string, unknown>>;
type List = ListBody<Item>;

/** What the calls for further pages say of the caller. */
const OF_CALLER = [
  'authorization',
  'cookie',
  'host',
  'user-agent',
  'svc-mode',
  'svc-test-clock',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'forwarded',
];

/**
 * The answer of a list as a file with all its items. Its first page is there; the file gets the others while it is sent, so that no
 * export is in memory as a whole. The call is charged and logged once.
 */
export class CsvAnswers {
  /** By organization: how many files are being sent. Their pages are charged to nobody, so there must be few at a time. */
  private readonly running = new Map<string, number>();

  constructor(
    private readonly fastify: FastifyInstance,
    private readonly customFields: CustomFieldCatalog,
  ) {}

  async fileOf(request: Request, reply: FastifyReply, list: List): Promise<FileResponse> {
    const wantsAll = request.state.csv === 'all';
    if (wantsAll && (list.total_count ?? 0) > MOST_ROWS) throw tooManyRows(list.total_count!);
    const { organizationId } = request.ctx!;
    const columns = await this.columns(request, list);
    // Fastify would read all pages to drop them
    const isHead = request.method === 'HEAD';
    if (wantsAll && !isHead && list.has_more && (this.running.get(organizationId) ?? 0) >= MOST_AT_ONCE) throw tooManyFiles();
    const headings = columns.map(({ heading }) => heading);
    const content = csvLines([headings, ...list.data.map((item) => cellsOf(item, columns))]);
    const next = list.next_cursor === null ? null : pageAfter(request, list.next_cursor, wantsAll);
    if (next !== null && !wantsAll) void reply.header('Link', `<${next}>; rel="next"`);
    const streamed = () =>
      isHead ? Readable.from([]) : this.stream(organizationId, this.pages(request, columns, list.data, content, next!));
    return new FileResponse('text/csv', wantsAll && next !== null ? streamed() : content, {
      filename: `${request.state.route!.path.split('/').at(-1)}.csv`,
      download: true,
      headers: { 'Cache-Control': 'no-store', Vary: 'Accept' },
    });
  }

  private async columns(request: Request, { data }: List): Promise<Column[]> {
    const dto = request.state.route!.endpoint!.returns!;
    const keys = new Map<string, string[]>();
    for (const resource of customFieldResources(dto)) {
      const definitions = await this.customFields.definitions(request.ctx!, resource, request.ctx!.projectId);
      keys.set(resource, [...new Set(definitions.map(({ key }) => key))]);
    }
    return columnsOf(dto, data, (resource) => keys.get(resource) ?? []);
  }

  private async *pages(
    request: Request,
    columns: readonly Column[],
    first: readonly Item[],
    content: string,
    following: string,
  ): AsyncGenerator<string> {
    yield content;
    let rows = first.length;
    for (let url: string | null = following; url !== null;) {
      const { data, next_cursor } = await this.page(request, url);
      rows += data.length;
      // an endless list is not counted so far; the connection ends, as below
      if (rows > MOST_ROWS) throw new Error(`A CSV file has at most ${MOST_ROWS} items, but more match.`);
      yield csvLines(data.map((item) => cellsOf(item, columns)));
      url = next_cursor === null ? null : pageAfter(request, next_cursor, true);
    }
  }

  /** The file while it is sent, to its end or that of the connection. */
  private stream(organizationId: string, pages: AsyncGenerator<string>): Readable {
    this.count(organizationId, 1);
    return Readable.from(pages).once('close', () => this.count(organizationId, -1));
  }

  private count(organizationId: string, change: 1 | -1): void {
    const running = (this.running.get(organizationId) ?? 0) + change;
    if (running > 0) this.running.set(organizationId, running);
    else this.running.delete(organizationId);
  }

  private async page({ raw, headers: given }: Request, url: string): Promise<List> {
    const headers: Record<string, string> = { accept: 'application/json' };
    for (const name of OF_CALLER) if (given[name] !== undefined) headers[name] = String(given[name]);
    const { routing } = this.fastify as unknown as { routing: Routing };
    const { status, body } = await callForPage(routing, raw, { method: 'GET', url, headers, body: undefined });
    // the file has begun: its connection ends, so that the client sees that it is not complete
    if (status !== 200) throw new Error(`The next page of the list failed with ${status}.`);
    return JSON.parse(String(body)) as List;
  }
}

export function isList(payload: unknown): payload is List {
  return (payload as { object?: unknown } | null | undefined)?.object === 'list';
}

function pageAfter({ url, query }: Request, cursor: string, wantsAll: boolean): string {
  const next = new URL(url, 'http://suite');
  next.searchParams.set('cursor', cursor);
  next.searchParams.delete('include_total');
  if (wantsAll) next.searchParams.set('limit', String((query as { limit: number }).limit));
  return next.pathname + next.search;
}
