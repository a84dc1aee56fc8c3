/** A type with a document of it, as they are sent to the service. The page shows them, and a test sends each. */
export interface TypeExample {
  id: string;
  title: string;
  text: string;
  /** The body of POST /api/v1/org/papers/types. */
  type: { code: string } & Record<string, unknown>;
  /** The body of POST /api/v1/ext/papers/documents. */
  document: { type_code: string; title: string; data_values: Record<string, unknown> };
  /** The body of PUT /api/v1/org/papers/documents/{id}/file/fields, for a document that is an uploaded PDF. */
  placed?: { fields: object[] };
}
