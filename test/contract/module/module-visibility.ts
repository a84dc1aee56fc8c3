import { expect, test } from '@jest/globals';
import { pathOfTwin, sendCall, type Call, type Location, type ModuleContext } from './module-context.js';
import { Answers, type Read } from './module-answers.js';
import { collected, expectAnswer } from './module-errors.js';
import { newForeignRows } from './module-foreign.js';
import { makeAsMember, memberReads } from './module-member-calls.js';
import { ELSEWHERE, OF_OTHERS, UUIDS } from './module-rows.js';
import { itemPathOf, type DescribedModule, type KeyedRoute } from './module-routes.js';
import { ownValues, queryVariants, type OwnValues } from './module-variants.js';

const PINNED = 'a pinned key';
const WIDE = 'an organization-wide key';
const OF_TESTS = 'a key of test mode';
/** What an organization-wide key sees comes last. */
const PLACES = [...OF_OTHERS, 'another project'] as const;
/** Reads until no job changes the caller's own rows. */
const MOST_ATTEMPTS = 5;

/**
 * Checks that no GET, reports and member routes included, answers anything else after rows were made in another project, organization
 * or mode.
 */
export function checkVisibility(module: DescribedModule, world: () => ModuleContext): void {
  test('no GET shows, counts or sums rows of another project, organization or mode', async () => {
    expect(await visibilityFaults(module, world())).toEqual([]);
  });
}

/** The GETs whose answer depends on rows that their caller must not see. */
export async function visibilityFaults(module: DescribedModule, world: ModuleContext): Promise<string[]> {
  const { routes } = module;
  const faults: string[] = [];
  const posts = routes.filter(({ method }) => method === 'POST');
  // rows that the readers see, or nothing could be kept of them
  await collected(faults, async () => void (await ownValues(world, routes)));
  const reads = [...(await keyedReads(module, world, faults)), ...(await memberReads(module, world, faults))];
  const answers = new Answers(world, faults);
  const isInTestMode = ({ hidden }: Read) => hidden.includes('own');
  const inTestMode = reads.filter(isInTestMode);
  const asked = reads.filter((read) => !isInTestMode(read));
  // one answer is compared with rows of each place that the reader must not see
  let latest = await answers.to(asked);
  const withQueries = await variantsOf(routes, [...latest.keys(), ...inTestMode], world, faults);
  const variants = withQueries.filter((read) => !isInTestMode(read));
  const isOfBusiness = ({ hidden }: Read) => hidden.includes('the other mode');
  let ofBusiness = new Map<Read, string>();
  // jobs may still change the rows that were made
  for (let attempt = 0, isSettled = false; !isSettled && attempt < MOST_ATTEMPTS; attempt++) {
    const earlier = latest;
    ofBusiness = await answers.to(variants.filter(isOfBusiness));
    latest = await answers.to(asked);
    isSettled = [...latest].every(([read, answer]) => earlier.get(read) === answer);
  }
  const compareVariants = async (which: (read: Read) => boolean) => {
    const before = new Map([...ofBusiness].filter(([read]) => which(read)));
    answers.compare(before, await answers.to([...before.keys()]), 'others');
  };
  // what those show of configuration depends on the place
  const compared = [...reads, ...variants.filter((read) => !isOfBusiness(read))];
  const alike: Read[] = [];
  const reports = new Map<Read, string>();
  for (const location of PLACES) {
    const concerned = compared.filter(({ hidden }) => hidden.includes(location));
    for (const [read, answer] of await answers.to(concerned.filter((one) => !latest.has(one)))) latest.set(read, answer);
    const before = new Map([...latest].filter(([read]) => concerned.includes(read)));
    if (location === 'another project') await compareVariants(({ hidden }) => !hidden.includes(location));
    faults.push(...(await newForeignRows(world, routes, location)).faults);
    if (location !== 'the other mode') await makeAsMember(module, world, location, faults);
    if (location === 'another project') {
      // before a pinned key asks, which must not get what is kept of these
      const wide = [...latest.keys()].filter((read) => read.who === WIDE && isReport(read, routes));
      for (const [read, answer] of await answers.to(wide))
        if (isOfRows(bodyOf(answer)) && latest.get(read) === answer) reports.set(read, answer);
    }
    const after = await answers.to(concerned);
    answers.compare(before, after, location);
    // those of other readers may show what was made
    latest = after;
    if (location === 'another organization') {
      const kept = await keptFaults(concerned, before, world);
      faults.push(...kept.faults);
      // look-ups may have the same values for everybody
      alike.push(...kept.alike.filter((read) => routes.some(({ endpoint }) => endpoint.operation === read.operation && !endpoint.lookup)));
    }
  }
  await compareVariants(({ hidden }) => hidden.includes('another project'));
  const ofTests = [...inTestMode, ...withQueries.filter(isInTestMode)];
  const before = await answers.to(ofTests);
  await collected(faults, () => world.dateBack('own'));
  const alikeBefore = await answers.to(alike);
  for (const route of posts) await collected(faults, () => makeOwn(world, route));
  answers.compare(before, await answers.to(ofTests), 'the live mode');
  // a number is not known by its place, but one of rows changes with them
  for (const [{ operation, who }, answer] of await answers.to(alike))
    if ([...alikeBefore].some(([read, earlier]) => read.operation === operation && read.who === who && earlier === answer))
      faults.push(`${operation} shows ${who} the same as another organization, whatever rows they have`);
  // a report may be of few rows, but one that all leave as it was is kept
  for (const [read, answer] of await answers.to([...reports.keys()].filter((one) => !alike.includes(one))))
    if (reports.get(read) === answer)
      faults.push(
        `${read.operation} shows ${read.who} the same after rows of every POST were made: keep no answer past a write, or none at all`,
      );
  // for the checks that follow, own rows are not the first ones again
  for (const location of ELSEWHERE.toReversed()) await collected(faults, () => world.dateBack(location));
  return [...new Set(faults)];
}

/** Who calls each GET for keys: the two live keys, a key of test mode, and a member where a route for members exists. */
async function keyedReads({ routes, memberRoutes }: DescribedModule, world: ModuleContext, faults: string[]): Promise<Read[]> {
  const [pinned, good, member] = [await world.keys.pinned(), await world.keys.good(), await world.workspace.signIn()];
  const test = world.location('the other mode').client;
  const reads: Read[] = [];
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    const { operation } = route.endpoint;
    const hidden = hiddenFrom(route, routes, world);
    const places = OF_OTHERS.filter((one) => hidden.includes(one));
    const variants = (call: Call, which: Parameters<typeof queryVariants>[2]) => (own: OwnValues) =>
      queryVariants(world.subject(route), own, which).map(({ what, change }) => ({ what, path: change(call).path }));
    await collected(faults, async () => {
      const call = await world.sameCall(route);
      const read = { what: operation, operation, path: call.path };
      reads.push({ ...read, who: PINNED, client: pinned, hidden, variants: variants(call, 'all') });
      reads.push({ ...read, who: WIDE, client: good, hidden: places, variants: variants(call, 'those of no list') });
      const twin = memberRoutes.find(({ twinOf }) => twinOf === operation);
      if (!twin) return;
      const ofMember = { what: twin.operation, operation: twin.operation, who: 'a member', client: member, hidden: places };
      // its parameters are those of the organization-wide key, which has the same handler
      reads.push({ ...ofMember, path: pathOfTwin(twin, route, call), variants: () => [] });
    });
    await collected(faults, async () => {
      const call = await world.call(route, 'the other mode');
      const live = hidden.includes('the other mode') ? (['own'] as const) : [];
      const read = { what: operation, operation, path: call.path, who: OF_TESTS, client: test, hidden: live };
      reads.push({ ...read, variants: variants(call, 'those of no list') });
    });
  }
  return reads;
}

function hiddenFrom(route: KeyedRoute, routes: readonly KeyedRoute[], world: ModuleContext): Location[] {
  return world.hiddenFrom(route.endpoint.operation, route.endpoint.list ? itemPathOf(route, routes) : route.path);
}

/** The reads of rows, each with one optional parameter. */
async function variantsOf(routes: readonly KeyedRoute[], reads: readonly Read[], world: ModuleContext, faults: string[]): Promise<Read[]> {
  const found: Read[] = [];
  await collected(faults, async () => {
    const own = await ownValues(world, routes);
    for (const read of reads.filter(({ hidden }) => hidden.length > 0))
      for (const { what, path } of read.variants(own))
        if (![...new URLSearchParams(what).keys()].some((name) => world.varies(read.operation, name)))
          found.push({ ...read, what: `${read.operation} with ${what}`, path, mayAnswer: 'an error' });
  });
  return found;
}

/**
 * What a key of another organization is shown of the answers that keys of this one got before, because a handler may keep rows in memory;
 * and the reads that both get the same answer to, though it may be made of rows.
 */
async function keptFaults(
  reads: readonly Read[],
  before: ReadonlyMap<Read, string>,
  world: ModuleContext,
): Promise<{ faults: string[]; alike: Read[] }> {
  const { client } = world.location('another organization');
  const faults: string[] = [];
  const shown = new Map<string, string>();
  for (const read of reads.filter(({ client: own }) => own !== client)) {
    if (!shown.has(read.path)) {
      const { status, text } = await client.get(read.path);
      shown.set(read.path, status === 200 ? text : '');
    }
    const [kept] = (before.get(read)?.match(UUIDS) ?? []).filter((id) => shown.get(read.path)!.includes(id));
    if (kept !== undefined) {
      const what = `${read.operation} keeps what it showed ${read.who} for another organization`;
      faults.push(`${what}: its answer there has the id ${kept}; keep nothing, or by organization, mode and project`);
    }
  }
  const alike = reads.filter((read) => {
    const text = shown.get(read.path) ?? '';
    const isKept = faults.some((fault) => fault.startsWith(`${read.operation} keeps`));
    const isSame = () => before.get(read)?.startsWith(`${world.settled(read.operation, text)} {`);
    return read.what === read.operation && !isKept && isOfRows(text) && isSame();
  });
  return { faults, alike };
}

/** Whether a read is one of no single row and no list, which has a check of its own, but of business rows. */
function isReport({ what, operation, hidden }: Read, routes: readonly KeyedRoute[]): boolean {
  const route = routes.find(({ endpoint }) => endpoint.operation === operation);
  return (
    what === operation && route !== undefined && hidden.includes('the other mode') && !route.endpoint.list && !route.path.includes('{')
  );
}

/** The answer without its headers. */
function bodyOf(answer: string): string {
  return answer.slice(0, answer.lastIndexOf(' {'));
}

/** Whether an answer may be made of rows: it has more than names, zeros and lists without an item. */
function isOfRows(text: string): boolean {
  return /[1-9]/.test(text) && !text.includes('"data":[]');
}

async function makeOwn(world: ModuleContext, route: KeyedRoute): Promise<void> {
  const response = await sendCall(world.location('own').client, route, await world.call(route));
  expectAnswer(response, route.endpoint.status, route.endpoint.operation);
}
