import type { Json } from '../../../../test/harness/api-document.js';
import type { Client } from '../../../../test/harness/client.js';
import { eventsOf, type StoredEvent } from '../../../../test/harness/outbox.js';
import type { TestApp } from '../../../../test/harness/test-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';

export const EXT_HR = '/api/v1/ext/hr';
export const ORG_HR = '/api/v1/org/hr';

interface Answer {
  status: number;
  body: Json;
  text: string;
}

type Row = Json & { id: string };

/** A year whose leave has not begun, with the first and last day of leave years around it. */
export const NEXT_YEAR = new Date().getUTCFullYear() + 1;

/** The first Monday of a month of that year, or a later one. */
export function monday(month: number, week = 0): string {
  const day = new Date(Date.UTC(NEXT_YEAR, month - 1, 1));
  day.setUTCDate(1 + ((8 - day.getUTCDay()) % 7) + 7 * week);
  return day.toISOString().slice(0, 10);
}

export function plus(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

/** HR of one organization: the owner's screen, and a key that may read everything. */
export class Staff {
  private numbers = 0;

  private constructor(
    readonly app: TestApp,
    readonly workspace: Workspace,
    readonly api: Client,
    readonly screen: Client,
    readonly project: string,
    readonly mode: 'live' | 'test',
    /** Ids of leave types by name. */
    readonly types: Readonly<Record<string, string>>,
    /** The calendar that new employees have. */
    readonly calendar: string,
  ) {}

  static async open(app: TestApp, { workspace, mode = 'live' }: { workspace?: Workspace; mode?: 'live' | 'test' } = {}): Promise<Staff> {
    const space = workspace ?? (await app.workspace());
    const { client: api } = await space.key({ module: 'hr', mode, rate_limit_per_minute: 1_000_000 });
    const screen = await space.signIn();
    const inProject = async (list: string) => {
      const { data } = (await expectOk(screen.get(`${ORG_HR}/${list}`))).body;
      return (data as (Row & { name: string; project_id: string })[]).filter(({ project_id }) => project_id === space.eng.id);
    };
    const types = Object.fromEntries((await inProject('leave-types')).map(({ id, name }) => [name, id]));
    const [{ id: calendar }] = await inProject('holiday-calendars');
    return new Staff(app, space, api, screen, space.eng.id, mode, types, calendar);
  }

  private get headers() {
    return { 'svc-mode': this.mode };
  }

  /** As a key sees it. */
  async get(path: string): Promise<Json> {
    return (await expectOk(this.api.get(EXT_HR + path))).body;
  }

  /** The items of a list, as a key sees them. */
  async list(path: string): Promise<Row[]> {
    return (await this.get(path)).data as Row[];
  }

  async post(path: string, body: Json = {}, screen = this.screen): Promise<Row> {
    return (await expectOk(screen.post(ORG_HR + path, body, this.headers))).body as Row;
  }

  async patch(path: string, body: Json): Promise<Row> {
    return (await expectOk(this.screen.patch(ORG_HR + path, body, this.headers))).body as Row;
  }

  /** Status, code and parameter of an error. */
  async refused(path: string, body: Json = {}, screen = this.screen): Promise<[number, string, string | undefined]> {
    const answer = await screen.post(ORG_HR + path, body, this.headers);
    const error = (answer.body as { error?: { code: string; param?: string } }).error;
    if (!error) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
    return [answer.status, error.code, error.param];
  }

  employee(values: Json = {}): Promise<Row> {
    return this.post('/employees', { project_id: this.project, name: `Employee ${++this.numbers}`, hired_on: '2020-01-01', ...values });
  }

  department(name: string, values: Json = {}): Promise<Row> {
    return this.post('/departments', { project_id: this.project, name, ...values });
  }

  leaveType(name: string, values: Json = {}): Promise<Row> {
    return this.post('/leave-types', { project_id: this.project, name, ...values });
  }

  leave(employee: Row, type: string, starts_on: string, ends_on: string, values: Json = {}): Promise<Row> {
    return this.post('/leave-requests', {
      employee_id: employee.id,
      leave_type_id: this.types[type] ?? type,
      starts_on,
      ends_on,
      ...values,
    });
  }

  async approved(employee: Row, type: string, starts_on: string, ends_on: string, values: Json = {}): Promise<Row> {
    const { id } = await this.leave(employee, type, starts_on, ends_on, values);
    return this.post(`/leave-requests/${id}/approve`);
  }

  entry(employee: Row, type: string, kind: string, days: string, values: Json = {}): Promise<Row> {
    return this.post('/leave-ledger', { employee_id: employee.id, leave_type_id: this.types[type] ?? type, kind, days, ...values });
  }

  /** The balance as the screen shows it. */
  async balance(employee: Row, type: string, as_of?: string): Promise<Json> {
    const query = new URLSearchParams({ employee_id: employee.id, leave_type_id: this.types[type] ?? type, ...(as_of ? { as_of } : {}) });
    const { body } = await expectOk(this.screen.get(`${ORG_HR}/leave-balances?${query}`, this.headers));
    return (body.data as Json[])[0];
  }

  /** The data of the events of a type about an object. */
  async events(type: string, id: string): Promise<StoredEvent['data'][]> {
    return (await eventsOf(this.app, this.workspace))
      .filter((event) => event.type === type && event.data.object.id === id)
      .map(({ data }) => data);
  }

  /** A member who is the employee, signed in. */
  async member(values: Json = {}): Promise<{ employee: Row; screen: Client }> {
    const { id, email } = await this.workspace.member('member');
    return { employee: await this.employee({ member_id: id, ...values }), screen: await this.workspace.signIn(email) };
  }
}

async function expectOk(answering: Promise<Answer> | PromiseLike<Answer>): Promise<Answer> {
  const answer = await answering;
  if (answer.status >= 300) throw new Error(`Answered ${answer.status}: ${answer.text}`);
  return answer;
}
