/** Fields of a resource in one project, deleted ones included. */
export const MOST_FIELDS = 100;
/** Of them filterable ones: each has an index, which makes writes slower. */
export const MOST_FILTERABLE = 20;
