/** A parsed CHECK expression. */
export type CheckExpression =
  | { readonly kind: 'column'; readonly name: string }
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly CheckExpression[] }
  | {
      readonly kind: 'compare';
      readonly op: CompareOp;
      readonly left: CheckExpression;
      readonly right: CheckExpression;
    }
  | {
      readonly kind: 'arithmetic';
      readonly op: '+' | '-' | '*' | '/' | '%';
      readonly left: CheckExpression;
      readonly right: CheckExpression;
    }
  | { readonly kind: 'and' | 'or'; readonly items: readonly CheckExpression[] }
  | { readonly kind: 'not'; readonly item: CheckExpression }
  | { readonly kind: 'is_null'; readonly item: CheckExpression }
  | { readonly kind: 'in'; readonly item: CheckExpression; readonly choices: readonly CheckExpression[] }
  | { readonly kind: 'like'; readonly item: CheckExpression; readonly pattern: CheckExpression };

export type CompareOp = '=' | '<>' | '<' | '<=' | '>' | '>=';
