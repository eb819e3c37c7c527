export const introduction = `# Is the right graph found?`
export const explanation = `-`
