package io.millrace.spring.data.spanner;

import org.jspecify.annotations.Nullable;
import org.springframework.data.r2dbc.core.StatementMapper;
import org.springframework.data.r2dbc.core.StatementMapper.TypedStatementMapper;
import org.springframework.data.relational.core.query.CriteriaDefinition;
import org.springframework.data.relational.core.sql.render.RenderContext;
import org.springframework.r2dbc.core.PreparedOperation;
import org.springframework.r2dbc.core.binding.BindTarget;

/** Maps like another mapper, and ends a {@code DELETE} of all rows with {@code WHERE true}. */
final class DeleteWithWhere<T> implements TypedStatementMapper<T> {

  private final StatementMapper mapper;

  DeleteWithWhere(StatementMapper mapper) {
    this.mapper = mapper;
  }

  @Override
  public <E> TypedStatementMapper<E> forType(Class<E> type) {
    return new DeleteWithWhere<>(mapper.forType(type));
  }

  @Override
  public PreparedOperation<?> getMappedObject(DeleteSpec delete) {
    PreparedOperation<?> mapped = mapper.getMappedObject(delete);
    CriteriaDefinition criteria = delete.getCriteria();
    return criteria == null || criteria.isEmpty() ? new OfAllRows<>(mapped) : mapped;
  }

  @Override
  public PreparedOperation<?> getMappedObject(SelectSpec select) {
    return mapper.getMappedObject(select);
  }

  @Override
  public PreparedOperation<?> getMappedObject(InsertSpec insert) {
    return mapper.getMappedObject(insert);
  }

  @Override
  public PreparedOperation<?> getMappedObject(UpdateSpec update) {
    return mapper.getMappedObject(update);
  }

  @Override
  public PreparedOperation<?> getMappedObject(UpsertSpec upsert) {
    return mapper.getMappedObject(upsert);
  }

  @Override
  public @Nullable RenderContext getRenderContext() {
    return mapper.getRenderContext();
  }

  private record OfAllRows<S>(PreparedOperation<S> delete) implements PreparedOperation<S> {

    @Override
    public S getSource() {
      return delete.getSource();
    }

    @Override
    public String toQuery() {
      return delete.toQuery() + " WHERE true";
    }

    @Override
    public void bindTo(BindTarget target) {
      delete.bindTo(target);
    }
  }
}
