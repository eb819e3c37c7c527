/** P(Y_concepts) of rising concepts, the first the most significant bit of the cell. */
export type ConceptTables = (concepts: readonly number[]) => ArrayLike<number>
