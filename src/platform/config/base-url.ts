/** The URL at which clients reach the suite; set once the port is known. */
export class BaseUrl {
  constructor(public value: string) {}
}
