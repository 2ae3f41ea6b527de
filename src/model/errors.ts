/** One problem of a spec. */
export interface Problem {
  /** Path of the option, for example `load[1].rate`. */
  readonly path: string
  /** What was given, why it is wrong and what is accepted. */
  readonly message: string
}

/** Options that cannot be run: lists all problems at once, before any request. */
export class SpecError extends Error {
  override readonly name = 'SpecError'
  readonly problems: readonly Problem[]

  constructor(subject: string, problems: readonly Problem[]) {
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`
    super(`${subject} has ${count}:\n${problems.map((p) => `  - ${p.path}: ${p.message}`).join('\n')}`)
    this.problems = problems
  }
}

/** The load could not be run to its end. */
export class LoadError extends Error {
  override readonly name = 'LoadError'
}

/** Neither passed nor refuted: too few samples, or nothing to judge. */
export class InconclusiveError extends Error {
  override readonly name = 'InconclusiveError'
}

/** The client could have caused the figure, or lost part of it. */
export class InvalidMeasurementError extends Error {
  override readonly name = 'InvalidMeasurementError'
}
